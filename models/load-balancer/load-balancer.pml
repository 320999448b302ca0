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
 * Expect: S=2 C=2 K=1 BUG=1: violated, assertion
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

chan entrance = [1] of { chan };
chan queue[S] = [K] of { chan };
chan reply[C] = [1] of { bit };
chan none = [0] of { bit };

byte queued;                    /* requests in all the queues together */

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

active [S] proctype Server() {
    chan client = none;

end:
    do
    :: atomic { queue[_pid - C] ? client -> queued-- };
        atomic {
            assert(empty(client));
            client ! 0;
            client = none
        }
    od
}

/* How short is the shortest queue, and how many are as short as that? */
inline survey() {
    least = K;
    ties = 0;
    for (s : 0 .. S - 1) {
        if
        :: len(queue[s]) < least -> least = len(queue[s]); ties = 1
        :: len(queue[s]) == least -> ties++
        :: else
        fi
    }
}

/* Choose any of the shortest queues: skip some, but never the last of them. */
inline choose() {
    s = 0;
    do
    :: len(queue[s]) != least -> s++
    :: len(queue[s]) == least -> break
    :: len(queue[s]) == least && ties > 1 -> ties--; s++
    od
}

active proctype Balancer() {
    chan client = none;
    byte s, least, ties;        /* zero between steps */

end:
    do
    :: entrance ? client;
        atomic {
            queued < S * K ->   /* some queue has room */
            d_step { survey() };
            choose();
            queue[s] ! client;
            queued++;
            client = none;
            s = 0; least = 0; ties = 0
        }
    od
}
