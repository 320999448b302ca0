/* Milner's scheduler: a ring of cyclers that start N tasks in turn.
 *
 * A token goes round. The cycler that has it starts its task as soon as the
 * previous round of that task has finished, and hands the token on; tasks
 * finish in any order. Checked: tasks are started strictly in the order
 * 0, 1, .., N-1, 0, .. and the ring never gets stuck. From Milner's
 * "Communication and Concurrency" (1989); the model has rotations as symmetries.
 *
 * States: N * 2^N, the place of the token times the set of busy tasks.
 * Up to rotation: 2^N.
 *
 * Parameters: N (default 4): number of cyclers, at least 2
 * Expect: N=2: holds, 8 states
 * Expect: N=4: holds, 64 states
 * Expect: N=10: holds, 10240 states
 * Expect: N=15: holds, 491520 states
 * Expect: N=2, symmetry: holds, 4 states
 * Expect: N=4, symmetry: holds, 16 states
 * Expect: N=10, symmetry: holds, 1024 states
 * Expect: N=15, symmetry: holds, 32768 states
 * Group: N=2: 2
 * Group: N=4: 4
 * Group: N=10: 10
 * Group: N=20: 20
 */

#ifndef N
#define N 4
#endif

chan token[N] = [0] of { bool };
byte expected;          /* the task that has to be started next */

active [N] proctype Cycler() {
    bool chosen = (_pid == 0);  /* has the token; somebody has to begin */
    bool busy;                  /* its task is running */

    do
    :: token[_pid] ? chosen
    :: atomic {
            chosen && !busy ->
            assert(expected == _pid);
            expected = (expected + 1) % N;
            busy = true;
            chosen = false;
            token[(_pid + 1) % N] ! true
        }
    :: d_step { busy -> busy = false }
    od
}
