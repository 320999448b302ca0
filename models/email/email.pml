/* An e-mail system: N clients, a mailer, one network channel.
 *
 * A client sends mail to anybody, itself included, through the network; the
 * mailer reads the address and puts the message into the receiver's mailbox; the
 * client collects it. Adapted from Calder and Miller (2003); the example of
 * "Vector Symmetry Reduction" (Donaldson 2009) and of TopSPIN. Look at channels
 * as values and at process ids inside messages.
 * BUG=1 lets the mailer confuse sender and receiver.
 *
 * The counts include 2^N start-up states: one before init has run, and 2^N - 1
 * in which some client has not yet announced itself.
 *
 * Parameters: N (default 3): number of clients
 * Parameters: BUG (default 0): 1 makes the mailer deliver to the sender
 * Expect: N=2: holds, 565 states
 * Expect: N=3: holds, 23256 states
 * Expect: N=4: holds, 852641 states
 * Expect: N=2, symmetry: holds, 285 states
 * Expect: N=3, symmetry: holds, 3902 states
 * Expect: N=4, symmetry: holds, 36255 states
 * Expect: N=3 BUG=1: violated, assertion
 * Group: N=2: 2
 * Group: N=3: 6
 * Group: N=4: 24
 */

#ifndef N
#define N 3
#endif
#ifndef BUG
#define BUG 0
#endif

chan mailbox[N + 1] = [1] of { pid, pid };      /* sender, receiver */
chan network = [2] of { pid, pid };
byte ready;                                     /* clients that have started */

proctype Client() {
    pid from, to;

    ready++;
end:
    do
    :: atomic {
            ready == N && nempty(mailbox[_pid]) ->
            mailbox[_pid] ? from, to;
            assert(to == _pid);
            from = 0;
            to = 0
        }
    :: atomic {
            ready == N && empty(mailbox[_pid]) && nfull(network) ->
            select(to : 1 .. N);
            network ! _pid, to;
            to = 0
        }
    od
}

proctype Mailer() {
    pid from, to;
    chan addressee = mailbox[0];

end:
    do
    :: atomic {
            network ? from, to;
#if BUG
            addressee = mailbox[from]
#else
            addressee = mailbox[to]
#endif
        };
        atomic {
            addressee ! from, to;
            /* Forget the message: what is no longer needed is no state. */
            addressee = mailbox[0];
            from = 0;
            to = 0
        }
    od
}

init {
    byte c;
    atomic {
        for (c : 1 .. N) {
            run Client()
        }
        run Mailer()
    }
}
