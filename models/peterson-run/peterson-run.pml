/* Peterson's mutual exclusion, with numbers given out when processes start.
 *
 * The same algorithm as models/peterson, but a process does not go by _pid: init
 * gives each its number, 0 to N-1, as an argument, and that number is an ordinary
 * byte. It indexes level, is stored in turn, and has nothing to do with the place
 * of the process. The symmetry of the processes and the symmetry of the
 * numbers are two different ones here, tied together by the argument.
 * BUG=1 forgets to write turn, so two processes meet in the critical section.
 *
 * The counts include one state before init has started the processes; they are
 * those of models/peterson, since numbers are given out in one way only.
 *
 * Parameters: N (default 3): number of processes
 * Parameters: BUG (default 0): 1 leaves out the write to turn
 * Expect: N=2: holds, 263 states
 * Expect: N=3: holds, 11318 states
 * Expect: N=4: holds, 542921 states
 * Expect: N=2, symmetry: holds, 134 states
 * Expect: N=3, symmetry: holds, 1976 states
 * Expect: N=4, symmetry: holds, 24383 states
 * Expect: N=3 BUG=1: violated, assertion
 * Group: N=3: 6
 * Group: N=5: 120
 */

#ifndef N
#define N 3
#endif
#ifndef BUG
#define BUG 0
#endif

/* Not 0: that is a number like the others. */
#define NOBODY 255

byte level[N];          /* level[p]: where process p stands, 0 = not competing */
byte turn[N] = NOBODY;  /* turn[k]: who came last to level k */
byte critical;          /* how many processes are in the critical section */
hidden byte other;      /* loop counter, of no meaning between steps */

proctype Process(byte me) {
    byte k;
    bool ahead;         /* all the others were below level k when last looked at */

    do
    :: k = 1;
        do
        :: k < N ->
            level[me] = k;
#if !BUG
            turn[k] = me;
#endif
wait:       atomic {
                d_step {
                    ahead = true;
                    for (other : 0 .. N - 1) {
                        ahead = ahead && (other == me || level[other] < k)
                    }
                };
                if      /* a loop and not a blocked guard, as in models/peterson */
                :: ahead || turn[k] != me
                :: else -> goto wait
                fi
            };
            k++
        :: else -> break
        od;

        atomic { critical++; assert(critical == 1) };
        critical--;
        level[me] = 0
    od
}

init {
    byte p;
    atomic {
        for (p : 0 .. N - 1) {
            run Process(p)
        }
    }
}
