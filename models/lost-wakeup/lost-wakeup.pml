/* A lost wake-up: falling asleep on stale news.
 *
 * A producer fills a slot and wakes one sleeping worker, if there is one. A
 * worker that finds the slot empty goes to sleep, but in a second step: if the
 * slot is filled in between, nobody is asleep yet, so nobody is woken. In the
 * end all the workers sleep, the slot is full, and the producer waits for room:
 * a deadlock. BUG=0 makes one step of looking and falling asleep, as a
 * condition variable does by holding its lock until the sleeper is queued.
 *
 * Parameters: N (default 2): number of workers
 * Parameters: BUG (default 1): 0 repairs the workers
 * Expect: default: violated, deadlock
 * Expect: N=4: violated, deadlock
 * Expect: N=2 BUG=0: holds, 30 states
 * Expect: N=6 BUG=0: holds, 1022 states
 * Expect: N=2 BUG=0, symmetry: holds, 22 states
 * Expect: N=6 BUG=0, symmetry: holds, 110 states
 */

#ifndef N
#define N 2
#endif
#ifndef BUG
#define BUG 1
#endif

bool filled;            /* the slot holds an item */
byte asleep;            /* how many workers sleep and have not been called */
byte calls;             /* wake-up calls that nobody has answered yet */

active proctype Producer() {
    do
    :: d_step { !filled -> filled = true };
        d_step {        /* wake one sleeper, if any */
            if
            :: asleep > 0 -> asleep--; calls++
            :: else
            fi
        }
    od
}

active [N] proctype Worker() {
    do
    :: d_step { filled -> filled = false }
#if BUG
    :: !filled ->       /* look .. */
        asleep++;       /* .. and fall asleep */
#else
    :: d_step { !filled -> asleep++ };
#endif
        d_step { calls > 0 -> calls-- }
    od
}
