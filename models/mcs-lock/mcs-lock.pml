/* The queue lock of Mellor-Crummey and Scott.
 *
 * Processes that want the lock form a linked list, and each waits on a flag of
 * its own. tail points at the last in line; exchange and compare-and-swap on it
 * are single steps. From ACM TOCS 9(1), 1991; cut into the same steps as the
 * automaton in the appendix of Wang and Schmidt, "Symmetric Symbolic
 * Safety-Analysis of Concurrent Software with Pointer Data Structures", so that
 * counts can be compared. The ids in next and prev make it hard for symmetry.
 * BUG=1 queues up first and only then sets the flag to wait on: the lock may be
 * handed over in between, and then nobody ever clears the flag.
 *
 * Parameters: N (default 3): number of processes
 * Parameters: BUG (default 0): 1 swaps two statements
 * Expect: N=2: holds, 159 states
 * Expect: N=3: holds, 7597 states
 * Expect: N=4: holds, 554221 states
 * Expect: N=2, symmetry: holds, 81 states
 * Expect: N=3, symmetry: holds, 1285 states
 * Expect: N=4, symmetry: holds, 23636 states
 * Expect: N=5, symmetry: holds, 508187 states
 * Expect: N=2 BUG=1: violated, deadlock
 * Group: N=3: 6
 * Group: N=5: 120
 */

#ifndef N
#define N 3
#endif
#ifndef BUG
#define BUG 0
#endif

#define NOBODY N

byte tail = NOBODY;             /* last in line */
byte next[N] = NOBODY;          /* next[p]: who is queued behind p */
bool locked[N];                 /* locked[p]: p has to wait */
byte critical;                  /* how many processes hold the lock */

inline enter() {
    critical++;
    assert(critical == 1)
}

active [N] proctype Process() {
    byte prev = NOBODY;         /* who is queued before this process */

    do
    :: next[_pid] = NOBODY;
        d_step { prev = tail; tail = _pid };
        if
        :: d_step { prev == NOBODY -> enter() }
        :: prev != NOBODY ->
#if BUG
            next[prev] = _pid;
            locked[_pid] = true;
#else
            locked[_pid] = true;
            next[prev] = _pid;
#endif
            d_step { !locked[_pid] -> enter() }
        fi;

        /* The critical section lasts until the lock is handed on: it counts
           as left in the very step that lets somebody else in. */
        if
        :: next[_pid] == NOBODY ->
            if
            :: d_step { tail == _pid -> tail = NOBODY; critical-- }
            :: tail != _pid ->
                next[_pid] != NOBODY;
                goto handOn
            fi
        :: next[_pid] != NOBODY ->
handOn:     atomic { locked[next[_pid]] = false; critical-- }
        fi
    od
}
