/* A three-tier architecture: clients, servers, a data base.
 *
 * Each client belongs to one server. It sends a request and waits; its server
 * asks the data base and passes the answer on. Answers go to a channel that
 * came with the question. From Donaldson and Miller (2005) and Zhang and
 * others (ASE 2013), where a system is written 3-3-2 for servers of 3, 3 and 2
 * clients: clients of one server may be swapped, and so may whole servers with
 * equally many clients.
 * BUG=1 lets a server ask for the answer to be sent to its client, who waits for
 * something else.
 *
 * The counts include one state before init has started the processes.
 *
 * Parameters: C1 (default 3): number of clients of the first server
 * Parameters: C2 (default 3): number of clients of the second server
 * Parameters: C3 (default 0): clients of the third server, 0 = no third server
 * Parameters: C4 (default 0): clients of the fourth server, 0 = no fourth server
 * Parameters: BUG (default 0): 1 makes servers hand on the wrong channel
 * Expect: C1=1 C2=1: holds, 324 states
 * Expect: C1=2 C2=2 C3=1: holds, 103501 states
 * Expect: C1=1 C2=1 C3=1 C4=1: holds, 56350 states
 * Expect: default: holds, 103105 states
 * Expect: C1=4 C2=4: holds, 1049601 states
 * Expect: C1=1 C2=1, symmetry: holds, 167 states
 * Expect: C1=2 C2=2 C3=1, symmetry: holds, 14216 states
 * Expect: C1=1 C2=1 C3=1 C4=1, symmetry: holds, 3151 states
 * Expect: default, symmetry: holds, 2656 states
 * Expect: C1=4 C2=4, symmetry: holds, 5021 states
 * Expect: C1=2 C2=2 BUG=1: violated, deadlock
 * Group: default: 72
 * Group: C1=3 C2=2: 12
 * Group: C1=3 C2=3 C3=2: 144
 * Group: C1=4 C2=4 C3=3: 6912
 * Group: C1=5 C2=5 C3=5 C4=5: 4976640000
 */

#ifndef C1
#define C1 3
#endif
#ifndef C2
#define C2 3
#endif
#ifndef C3
#define C3 0
#endif
#ifndef C4
#define C4 0
#endif
#ifndef BUG
#define BUG 0
#endif

#if C4 > 0
#define SERVERS 4
#elif C3 > 0
#define SERVERS 3
#else
#define SERVERS 2
#endif
#define CLIENTS (C1 + C2 + C3 + C4)

mtype = { request, response, query, result };

chan database = [2] of { mtype, chan };
chan desk[SERVERS] = [1] of { mtype, chan };    /* requests to a server */
chan answer[SERVERS] = [1] of { mtype };        /* results for a server */
chan reply[CLIENTS] = [1] of { mtype };         /* responses to a client */
chan none = [0] of { mtype };

proctype Database() {
    chan asker = none;

end:
    do
    :: database ? query, asker;
        asker ! result;
        asker = none
    od
}

proctype Server(chan in, back) {
    chan client = none;

end:
    do
    :: in ? request, client;
#if BUG
        database ! query, client;
#else
        database ! query, back;
#endif
        back ? result;
        client ! response;
        client = none
    od
}

proctype Client(chan server, back) {
    do
    :: server ! request, back;
        back ? response
    od
}

/* Start server s and its clients, whose reply channels begin at number first. */
inline start(s, first, count) {
    run Server(desk[s], answer[s]);
    for (c : first .. first + count - 1) {
        run Client(desk[s], reply[c])
    }
}

init {
    byte c;
    atomic {
        run Database();
        start(0, 0, C1);
        start(1, C1, C2);
#if C3 > 0
        start(2, C1 + C2, C3);
#endif
#if C4 > 0
        start(3, C1 + C2 + C3, C4);
#endif
    }
}
