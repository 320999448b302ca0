/* Data base managers that keep N copies of a data base consistent, without a counter.
 *
 * As database.pml, but the updater waits until every flag is down instead of
 * counting acknowledgements: each acknowledgement is a thing of its own, as in
 * the net of Valmari (1991). So who has yet to acknowledge and who is about to
 * do so are independent, and partial-order reduction leaves one order of them:
 * 2N^2 - N + 1 states, 2N with symmetry, as in "Symmetric Spin" (Bosnacki,
 * Dams, Holenderski 2002, table 2); and as there N + 1 more, or 2 with symmetry,
 * where the updater has seen all acknowledgements but not yet released the data
 * base, and before init has run.
 * Checked: no deadlock, and never two managers updating.
 * BUG=1: the updater flags itself too, and waits for itself for ever.
 *
 * States: as in database.pml, N * 3^(N-1) + N + 2.
 *
 * Parameters: N (default 5): number of managers, at most 64
 * Parameters: BUG (default 0): 1 makes the updater wait for itself
 * Expect: N=3: holds, 32 states
 * Expect: N=5: holds, 412 states
 * Expect: N=7: holds, 5112 states
 * Expect: N=3, symmetry: holds, 9 states
 * Expect: N=5, symmetry: holds, 18 states
 * Expect: N=7, symmetry: holds, 31 states
 * Expect: N=20, symmetry: holds, 213 states
 * Expect: BUG=1: violated, deadlock
 * Group: N=5: 120
 */

#ifndef N
#define N 5
#endif
#ifndef BUG
#define BUG 0
#endif

/* Whether the flags of 1, 2, 4, .. managers from m on are down. There is no
 * manager 0, and its flag stands for those beyond N. */
#define DOWN(m) !flag[(m <= N -> m : 0)]
#define DOWN2(m) DOWN(m) && DOWN(m + 1)
#define DOWN4(m) DOWN2(m) && DOWN2(m + 2)
#define DOWN8(m) DOWN4(m) && DOWN4(m + 4)
#define DOWN16(m) DOWN8(m) && DOWN8(m + 8)
#define DOWN32(m) DOWN16(m) && DOWN16(m + 16)
#define DOWN64(m) DOWN32(m) && DOWN32(m + 32)
#if N <= 8
#define ALL_DOWN DOWN8(1)
#else
#define ALL_DOWN DOWN64(1)
#endif

bool reserved;          /* somebody is updating the data base */
bool flag[N + 1];       /* flag[m]: manager m has yet to acknowledge */
byte updating;          /* how many managers are updating */
hidden byte other;      /* loop counter, of no meaning between steps */

proctype Manager() {
    do
    :: d_step {
            !reserved ->
            reserved = true;
            for (other : 1 .. N) {
                flag[other] = true
            }
#if !BUG
            flag[_pid] = false;
#endif
            updating++;
            assert(updating == 1)
        };
        ALL_DOWN;
        d_step {
            updating--;
            reserved = false
        }
    :: flag[_pid] ->
        flag[_pid] = false
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
