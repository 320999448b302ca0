/* Peterson's mutual exclusion for N processes.
 *
 * A process climbs N-1 levels; at each it writes its level, lets the latecomer
 * wait (turn), and passes once it is no longer the last to have arrived or
 * everybody else is below. This is the model of "Symmetric Spin" (Bosnacki,
 * Dams, Holenderski 2002, table 1): the scan of the others is one atomic step.
 * BUG=1 forgets to write turn, so two processes meet in the critical section.
 *
 * The counts include one state before init has started the processes.
 *
 * Parameters: N (default 3): number of processes
 * Parameters: BUG (default 0): 1 leaves out the write to turn
 * Expect: N=2: holds, 263 states
 * Expect: N=3: holds, 11318 states
 * Expect: N=4: holds, 542921 states
 * Expect: N=2, symmetry: holds, 134 states
 * Expect: N=3, symmetry: holds, 1976 states
 * Expect: N=4, symmetry: holds, 24383 states
 * Expect: N=5, symmetry: holds, 262749 states
 * Expect: N=3 BUG=1: violated, assertion
 * Group: N=3: 6
 * Group: N=5: 120
 * Group: N=9: 362880
 * Group: N=12: 479001600
 */

#ifndef N
#define N 3
#endif
#ifndef BUG
#define BUG 0
#endif

byte level[N + 1];      /* level[p]: where process p stands, 0 = not competing */
pid turn[N];            /* turn[k]: who came last to level k */
byte critical;          /* how many processes are in the critical section */
hidden byte other;      /* loop counter, of no meaning between steps */

proctype Process() {
    byte k;
    bool ahead;         /* all the others were below level k when last looked at */

    do
    :: k = 1;
        do
        :: k < N ->
            level[_pid] = k;
#if !BUG
            turn[k] = _pid;
#endif
wait:       atomic {
                d_step {
                    ahead = true;
                    for (other : 1 .. N) {
                        ahead = ahead && (other == _pid || level[other] < k)
                    }
                };
                /* Waiting is a loop, not a blocked guard: the outcome of the
                   last scan stays visible in the state, as in the paper. */
                if
                :: ahead || turn[k] != _pid
                :: else -> goto wait
                fi
            };
            k++
        :: else -> break
        od;

        atomic { critical++; assert(critical == 1) };
        critical--;
        level[_pid] = 0
    od
}

init {
    byte p;
    atomic {
        for (p : 1 .. N) {
            run Process()
        }
    }
}
