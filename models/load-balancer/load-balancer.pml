/* A load balancer in front of S servers for C clients.
 *
 * A client sends a request and waits; the balancer hands the request to a server
 * with the shortest queue, any of them if there are several; that server answers
 * on the channel that came with the request. From "Vector Symmetry Reduction"
 * (Donaldson 2009). Servers may be swapped with servers, clients with clients.
 * Checked: nobody is answered twice, nothing gets stuck.
 * BUG=1 lets a client ask again before it has been answered.
 *
 * Parameters: S (default 2): number of servers
 * Parameters: C (default 3): number of clients
 * Parameters: K (default 2): capacity of each server's queue
 * Parameters: BUG (default 0): 1 makes the clients impatient
 * Expect: S=2 C=2: holds, 58 states
 * Expect: default: holds, 452 states
 * Expect: S=3 C=4: holds, 8072 states
 * Expect: S=3 C=5: holds, 77512 states
 * Expect: S=2 C=2, symmetry: holds, 20 states
 * Expect: default, symmetry: holds, 52 states
 * Expect: S=3 C=4, symmetry: holds, 120 states
 * Expect: S=3 C=5, symmetry: holds, 238 states
 * Expect: S=2 C=2 K=1 BUG=1: violated, assertion
 * Group: S=2 C=3: 12
 * Group: S=3 C=5: 720
 * Group: S=4 C=4: 576
 */

#ifndef S
#define S 2
#endif
#ifndef C
#define C 3
#endif
#ifndef K
#define K 2
#endif
#ifndef BUG
#define BUG 0
#endif

#define NOBODY 255

chan entrance = [1] of { chan };
/* These are indexed by processes, so part of each array is never used. */
chan queue[S + C] = [K] of { chan };
chan reply[S + C] = [1] of { bit };
chan none = [0] of { bit };

byte longer[K];         /* longer[n]: how many queues hold more than n requests */

active [S] proctype Server() {
    chan client = none;

end:
    do
    :: atomic {
            queue[_pid] ? client ->
            longer[len(queue[_pid])]--
        };
        atomic {
            assert(empty(client));
            client ! 0;
            client = none
        }
    od
}

active [C] proctype Client() {
    do
#if BUG
    :: entrance ! reply[_pid]
    :: reply[_pid] ? _
#else
    :: entrance ! reply[_pid];
        reply[_pid] ? _
#endif
    od
}

/* All queues are at least as long. */
#define IS_SHORTEST(q) (len(q) == 0 || longer[len(q) - 1] == S)

active proctype Balancer() {
    chan client = none;
    byte s = NOBODY;            /* of no meaning between steps */

end:
    do
    :: entrance ? client;
        do
        :: atomic {
                longer[K - 1] < S ->    /* some queue has room */
                select(s : 0 .. S - 1); /* try any; a long one leaves all as it was */
                if
                :: IS_SHORTEST(queue[s]) ->
                    longer[len(queue[s])]++;
                    queue[s] ! client;
                    s = NOBODY;
                    client = none;
                    break
                :: else ->
                    s = NOBODY
                fi
            }
        od
    od
}
