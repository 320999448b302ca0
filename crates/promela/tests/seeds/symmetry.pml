/* Every form of declaration, in every kind of comment. */
#define N 3
#define LAST (FIRST + N - 1)
#define FIRST 1

//@ scalarset ID = FIRST .. LAST: Client.id, Server.id, turn, flag[ID], ID next[ID]
/*@ scalarset KEY[2]:
      KEY lock[ID],             // two sets in one place
      Packet.key, ID Packet.from,
      table[ID].row[ID], KEY table[].row[]
*/
/*@ symmetric Watcher, Idle; scalarset SLOT[N]: Worker.slot,
    ring[SLOT] {_, ID, {_, ID, _}}, ID Worker.peer, ID init.i */
//@scalarset BOX=0..1:post[] {BOX}

mtype = { ask, grant };
typedef Packet { byte tag; byte from; byte key }
typedef Row { byte row[4] }

byte turn, next[4], lock[4];
bool flag[4];
Row table[4];
chan ring[N] = [2] of { mtype, byte, Packet };
chan post[2] = [1] of { bit };

proctype Client(byte id) { flag[id] = true; turn = id /*@ symmetric Guest */ ; next[id] = id }
proctype Server(byte id) { turn == id }
active [2] proctype Watcher() { turn == 0 }
active [2] proctype Idle() { skip }
active [2] proctype Guest() { skip }
proctype Worker(byte slot) {
  Packet p;
  { byte peer; peer = turn; p.from = peer };
  { byte peer; ring[slot]!ask(peer, p) };
  post[0]!1
}
init {
  byte i;
  for (i : 1 .. N) { run Client(i); run Server(i) };
  for (i : 0 .. N - 1) { run Worker(i) }
}
