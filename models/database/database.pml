/* Data base managers that keep N copies of a data base consistent.
 *
 * One manager reserves the data base and notifies all the others in one step;
 * each of these takes the notification and acknowledges it; with all the
 * acknowledgements in, the first releases the data base. From Valmari (1991),
 * as modelled in "Symmetric Spin" (Bosnacki, Dams, Holenderski 2002, table 2).
 * Checked: no deadlock, and never two managers updating.
 * BUG=1 counts acknowledgements in two steps, read and write: one that comes in
 * between is lost, and the updater waits for it for ever.
 *
 * States: N * 3^(N-1) with an updater (each other manager is notified, is
 * reading or has acknowledged), N where the updater has seen the last
 * acknowledgement but not yet released, 1 idle, 1 before init has run.
 *
 * Parameters: N (default 5): number of managers
 * Parameters: BUG (default 0): 1 loses acknowledgements
 * Expect: N=3: holds, 32 states
 * Expect: N=5: holds, 412 states
 * Expect: N=7: holds, 5112 states
 * Expect: N=11: holds, 649552 states
 * Expect: N=3, symmetry: holds, 9 states
 * Expect: N=5, symmetry: holds, 18 states
 * Expect: N=7, symmetry: holds, 31 states
 * Expect: N=11, symmetry: holds, 69 states
 * Expect: N=60, symmetry: holds, 1833 states
 * Expect: BUG=1: violated, deadlock
 * Group: N=5: 120
 * Group: N=12: 479001600
 */

#ifndef N
#define N 5
#endif
#ifndef BUG
#define BUG 0
#endif

bool reserved;          /* somebody is updating the data base */
bool flag[N + 1];       /* flag[m]: manager m has yet to acknowledge */
byte pending;           /* how many flags are up */
byte updating;          /* how many managers are updating */
hidden byte other;      /* loop counter, of no meaning between steps */

proctype Manager() {
#if BUG
    byte seen;          /* what pending was when last looked at */

#endif
    do
    :: d_step {
            !reserved ->
            reserved = true;
            /* The updater flags itself too: nobody is a special case. */
            for (other : 1 .. N) {
                flag[other] = true
            }
            pending = N;
            updating++;
            assert(updating == 1)
        };
        pending == 1;   /* only the updater's own flag is left */
        d_step {
            flag[_pid] = false;
            pending = 0;
            updating--;
            reserved = false
        }
    :: flag[_pid] ->
#if BUG
        d_step {
            flag[_pid] = false;
            seen = pending
        };
        d_step {
            pending = seen - 1;
            seen = 0
        }
#else
        d_step {
            flag[_pid] = false;
            pending--
        }
#endif
    od
}

init {
    byte m;
    atomic {
        for (m : 1 .. N) {
            run Manager()
        }
    }
}
