/* Balancers that compare the lengths of queues, branch by branch.
 *
 * A client hands its name to one of two balancers; the balancer looks which of three
 * queues is a shortest one, in a branch for each queue, and only then puts the name
 * there. In between, where the balancer is in the text says which queue is meant. The
 * server of a queue answers the clients one by one. Checked: the queue still has room
 * when the name comes, and nobody is answered twice; no deadlock.
 * BUG=1 gives each queue room for one name only, as if a shortest queue were empty when
 * there are more queues than balancers; but both may have looked at the same one.
 *
 * Clients may be exchanged with clients, balancers with balancers, and servers with
 * servers, each together with its queue: C! * 2 * 3!. With HOME=1 each balancer has half
 * of the clients, which go to no other: (C/2)! * (C/2)! * 2 * 3!, 432 for six clients.
 *
 * Parameters: C (default 2): number of clients
 * Parameters: HOME (default 0): 1 gives each balancer its own clients
 * Parameters: BUG (default 0): 1 makes the queues too short
 * Expect: C=1: holds, 61 states
 * Expect: default: holds, 1305 states
 * Expect: C=3: holds, 19779 states
 * Expect: C=1, symmetry: holds, 19 states
 * Expect: default, symmetry: holds, 117 states
 * Expect: C=3, symmetry: holds, 456 states
 * Expect: HOME=1: holds, 530 states
 * Expect: HOME=1, symmetry: holds, 86 states
 * Expect: BUG=1: violated, assertion
 * Expect: BUG=1, symmetry: violated, assertion
 * Group: default: 24
 * Group: C=3: 72
 * Group: C=6: 8640
 * Group: HOME=1: 12
 * Group: C=4 HOME=1: 48
 * Group: C=6 HOME=1: 432
 */

#ifndef C
#define C 2
#endif
#ifndef HOME
#define HOME 0
#endif
#ifndef BUG
#define BUG 0
#endif

#if BUG
#define ROOM 1
#else
#define ROOM C
#endif

#define NOBODY 255

#if HOME
chan entrance[2] = [0] of { byte };
#define ENTRANCE(home) entrance[home]
#define HOME_OF(client) client / (C / 2)
#else
chan entrance = [0] of { byte };
#define ENTRANCE(home) entrance
#define HOME_OF(client) 0
#endif
chan queue[3] = [ROOM] of { byte };
chan reply[C] = [1] of { bit };

proctype Server(byte me) {
    byte client = NOBODY;

end:
    do
    :: queue[me] ? client;
        atomic {
            assert(empty(reply[client]));
            reply[client] ! 0;
            client = NOBODY
        }
    od
}

proctype Client(byte me; byte home) {
end:
    do
    :: ENTRANCE(home) ! me;
        reply[me] ? _
    od
}

#define SHORTEST(a, b, c) \
    len(queue[a]) <= len(queue[b]) && len(queue[a]) <= len(queue[c])

proctype Balancer(byte me) {
    byte client = NOBODY;

end:
    do
    :: ENTRANCE(me) ? client;
        if
        :: SHORTEST(0, 1, 2) -> assert(nfull(queue[0])); queue[0] ! client
        :: SHORTEST(1, 0, 2) -> assert(nfull(queue[1])); queue[1] ! client
        :: SHORTEST(2, 0, 1) -> assert(nfull(queue[2])); queue[2] ! client
        fi;
        client = NOBODY
    od
}

init {
    atomic {
        byte i;
        for (i : 0 .. 2) {
            run Server(i)
        }
        for (i : 0 .. C - 1) {
            run Client(i, HOME_OF(i))
        }
        run Balancer(0);
        run Balancer(HOME)
    }
}
