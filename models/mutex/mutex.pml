/* Mutual exclusion by a semaphore, three states a process.
 *
 * Every process goes round noncritical, trying, critical; the semaphore lets
 * one in. The smallest fully symmetric model there is, and the running example
 * of most texts about symmetry (the survey of Wahl and Donaldson 2010, too).
 * BUG=1 frees the semaphore one step before the process has left.
 *
 * States: 2^N with the semaphore free, N * 2^(N-1) with one process inside.
 * Up to renaming of processes that is 2N+1.
 *
 * Parameters: N (default 5): number of processes
 * Parameters: BUG (default 0): 1 frees the semaphore too early
 * Expect: N=2: holds, 8 states
 * Expect: N=5: holds, 112 states
 * Expect: N=10: holds, 6144 states
 * Expect: N=16: holds, 589824 states
 * Expect: N=2, symmetry: holds, 5 states
 * Expect: N=5, symmetry: holds, 11 states
 * Expect: N=10, symmetry: holds, 21 states
 * Expect: N=16, symmetry: holds, 33 states
 * Expect: N=60, symmetry: holds, 121 states
 * Expect: BUG=1: violated, assertion
 * Group: N=3: 6
 * Group: N=10: 3628800
 */

#ifndef N
#define N 5
#endif
#ifndef BUG
#define BUG 0
#endif

bool free = true;       /* the semaphore */
byte critical;          /* how many processes are in the critical section */

active [N] proctype Process() {
    do
    :: skip;            /* noncritical -> trying */
        d_step {        /* trying -> critical */
            free ->
            free = false;
            critical++;
            assert(critical == 1)
        };
#if BUG
        free = true;
        critical--
#else
        d_step {        /* critical -> noncritical */
            critical--;
            free = true
        }
#endif
    od
}
