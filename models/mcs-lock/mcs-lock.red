/* The queue lock of Mellor-Crummey and Scott, as pointer automata.
 *
 * The automaton in the appendix of Wang and Schmidt, "Symmetric Symbolic
 * Safety-Analysis of Concurrent Software with Pointer Data Structures", step by
 * step, in words of our own: who wants the lock swaps itself into the tail,
 * makes itself known to whoever was there, and waits until that one hands over.
 * mcs-lock.pml has the same steps, so the counts are the same.
 * Nothing is declared to be interchangeable, and nothing has to be.
 * BUG=1 drops the assignment that begins to wait. BUG=2 drops the one that makes
 * itself known: who hands over then waits for ever, and nothing is wrong but that
 * nobody gets the lock any more, which is no risk.
 *
 * Parameters: N (default 3): number of processes
 * Parameters: BUG (default 0): 1 and 2 drop something
 * Expect: N=2: holds, 159 states
 * Expect: N=3: holds, 7597 states
 * Expect: N=4: holds, 554221 states
 * Expect: N=2, symmetry: holds, 81 states
 * Expect: N=3, symmetry: holds, 1285 states
 * Expect: N=4, symmetry: holds, 23636 states
 * Expect: N=5, symmetry: holds, 508187 states
 * Expect: N=2 BUG=1: violated, assertion
 * Expect: N=3 BUG=1: violated, assertion
 * Expect: N=3 BUG=2: holds, 620 states
 * Group: N=3: 6
 * Group: N=5: 120
 */

#define N 3             // processes
#define BUG 0           // 1: does not begin to wait, 2: stays unknown

process count = N;

global pointer tail;            // the last in line
local pointer next, prev;       // who is behind, and who is ahead
local discrete locked: 0..1;    // has to wait

mode idle true {
  when true may next = NULL; goto swap;
}

mode swap true {
  when true may prev = tail; tail = P; goto look;
}

mode look true {
  when prev != NULL may goto mark;
  when prev == NULL may goto critical;
}

mode mark true {
  when BUG != 1 may locked = 1; goto link;
  when BUG == 1 may goto link;
}

mode link true {
  when BUG != 2 may prev->next = P; goto wait;
  when BUG == 2 may goto wait;
}

mode wait true {
  when locked == 1 may ;
  when locked == 0 may goto critical;
}

mode critical true {
  when next == NULL may goto leave;
  when next != NULL may goto pass;
}

mode leave true {
  when tail == P may tail = NULL; goto idle;
  when tail != P may goto linger;
}

mode linger true {
  when next == NULL may ;
  when next != NULL may goto pass;
}

mode pass true {
  when true may next->locked = 0; goto idle;
}

initially forall i: idle[i] and tail == NULL;

/* The lock is held until it is handed over. */
risk exists i, j: i < j
  and (critical[i] or leave[i] or linger[i] or pass[i])
  and (critical[j] or leave[j] or linger[j] or pass[j]);
