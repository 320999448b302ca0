/* A broken lock: test and set in two steps.
 *
 * A process looks whether the lock is free and, if so, takes it. Between the
 * look and the taking another process can do the same. The shortest
 * counterexample is two looks and two takings. BUG=0 makes one step of both,
 * which is what the test-and-set instruction of a processor is for.
 *
 * States (BUG=0): 4N+1, since one process at most is under way.
 *
 * Parameters: N (default 2): number of processes
 * Parameters: BUG (default 1): 0 repairs the lock
 * Expect: default: violated, assertion
 * Expect: N=4: violated, assertion
 * Expect: BUG=0: holds, 9 states
 * Expect: N=8 BUG=0: holds, 33 states
 * Expect: BUG=0, symmetry: holds, 5 states
 * Expect: N=8 BUG=0, symmetry: holds, 5 states
 */

#ifndef N
#define N 2
#endif
#ifndef BUG
#define BUG 1
#endif

bool locked;
byte critical;          /* how many processes are in the critical section */

inline acquire() {
#if BUG
    !locked;            /* look .. */
    locked = true       /* .. and take */
#else
    d_step { !locked -> locked = true }
#endif
}

active [N] proctype Process() {
    do
    :: acquire();
        critical++;
        assert(critical == 1);
        critical--;
        locked = false
    od
}
