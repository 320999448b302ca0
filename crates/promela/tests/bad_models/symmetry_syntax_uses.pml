//@ scalarset A[3]: byte turn
//@ scalarset B[3]: turn next[B]
//@ scalarset C[3]: turn Client.id C
//@ scalarset D[3]: Client:id
//@ scalarset E[3]: turn,
//@ scalarset F[3]: flag[0]
//@ scalarset G[3]: net {_, 1}
//@ scalarset H[3]: proctype Client; scalarset I[3]: chan net; symmetric init
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
