//@ scalarset ID[3]: flag[IDS], KEY turn, ID1 Client.id
#define N 3
mtype = { ask, grant };
typedef Packet { byte tag; byte from; bool last[2] }
typedef Unused { byte x }
byte turn, next[4], total = 3;
bool free, flag[4];
mtype state;
Packet packets[2];
chan net = [2] of { mtype, Packet, byte, chan };
proctype Client(byte id; chan reply) { byte peer; Packet p; reply!ask }
proctype Server(byte id) { turn == id }
init { run Client(1, net); run Server(1) }
