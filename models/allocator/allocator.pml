/* A resource allocator with priorities.
 *
 * Clients of several classes want one resource. Each asks the allocator at the
 * desk of its class and waits; the allocator serves the first in line at the desk
 * of the highest class that has anybody waiting. After the prioritised resource
 * allocator of Donaldson and Miller (2005), also in Zhang and others (ASE 2013),
 * where a system is written 2-3 for 2 clients of class 0 (the highest) and 3 of
 * class 1. Clients of one class may be exchanged, so the group has 2! * 3! elements.
 * Checked: one user at a time, and nothing gets stuck.
 * BUG=1 lets the allocator go on to the next client without waiting for the return.
 *
 * The counts include one state before init has started the processes.
 *
 * Parameters: A0 (default 2): number of clients of the highest class
 * Parameters: A1 (default 2): number of clients of the next class
 * Parameters: A2 (default 0): clients of the lowest class, 0 = no such class
 * Parameters: BUG (default 0): 1 gives the resource away twice
 * Expect: default: holds, 106 states
 * Expect: A0=1 A1=2 A2=2: holds, 261 states
 * Expect: A0=4 A1=3: holds, 5039 states
 * Expect: default, symmetry: holds, 34 states
 * Expect: A0=1 A1=2 A2=2, symmetry: holds, 85 states
 * Expect: A0=4 A1=3, symmetry: holds, 83 states
 * Expect: BUG=1: violated, assertion, 290 states
 * Group: default: 4
 * Group: A0=3 A1=2 A2=2: 24
 * Group: A0=3 A1=3 A2=4: 864
 */

#ifndef A0
#define A0 2
#endif
#ifndef A1
#define A1 2
#endif
#ifndef A2
#define A2 0
#endif
#ifndef BUG
#define BUG 0
#endif

#define CLIENTS (A0 + A1 + A2)
#define CLASSES 3

chan desk[CLASSES] = [CLIENTS] of { pid };      /* who waits, first come first served */
chan grant[CLIENTS + 1] = [1] of { bool };      /* to each client */
chan giveBack = [0] of { bool };
byte using;                                     /* how many clients have the resource */

proctype Client(byte class) {
    do
    :: desk[class] ! _pid;
        atomic {
            grant[_pid] ? true ->
            using++;
            assert(using == 1)
        };
        atomic { using--; giveBack ! true }
    od
}

/* Serve the first in line at this desk. */
inline serve(class) {
    desk[class] ? client;
    grant[client] ! true;
    client = 0
}

proctype Allocator() {
    pid client;         /* to be served next; 0, the number of init, is nobody */

    do
    :: atomic {
            if
            :: nempty(desk[0]) -> serve(0)
            :: empty(desk[0]) && nempty(desk[1]) -> serve(1)
            :: empty(desk[0]) && empty(desk[1]) && nempty(desk[2]) -> serve(2)
            fi
        };
#if !BUG
        giveBack ? true
#else
    :: giveBack ? true
#endif
    od
}

/* Start the clients of a class. */
inline start(class, count) {
    for (c : 1 .. count) {
        run Client(class)
    }
}

init {
    byte c;
    atomic {
        start(0, A0);
        start(1, A1);
#if A2 > 0
        start(2, A2);
#endif
        run Allocator()
    }
}
