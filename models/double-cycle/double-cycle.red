/* A cycle with links in both directions, which processes enter and leave.
 *
 * From the description in Wang and Schmidt, "Symmetric Symbolic Safety-Analysis
 * of Concurrent Software with Pointer Data Structures": the last to enter is the
 * tail, and where there is no tail there is no cycle, so nobody may think that
 * it is in one. One process at a time works on the cycle, link by link, and the
 * others see it half done. The order of the steps keeps the promise: the tail is
 * there before the first link, and goes after the last.
 * BUG=1 drops an assignment: who leaves keeps its links. BUG=2 drops another one: the
 * tail stays at a process that has left, and who comes next follows NULL.
 *
 * Parameters: N (default 3): number of processes
 * Parameters: BUG (default 0): 1 keeps the links, 2 keeps the tail
 * Expect: N=2: holds, 31 states
 * Expect: N=3: holds, 154 states
 * Expect: N=4: holds, 837 states
 * Expect: N=5: holds, 5206 states
 * Expect: N=6: holds, 37171 states
 * Expect: N=3, symmetry: holds, 29 states
 * Expect: N=4, symmetry: holds, 45 states
 * Expect: N=5, symmetry: holds, 64 states
 * Expect: N=6, symmetry: holds, 86 states
 * Expect: N=7, symmetry: holds, 111 states
 * Expect: N=8, symmetry: holds, 139 states
 * Expect: N=9, symmetry: holds, 170 states
 * Expect: N=2 BUG=1: violated, assertion
 * Expect: N=3 BUG=1: violated, assertion
 * Expect: N=2 BUG=2: violated, assertion
 * Expect: N=3 BUG=2: violated, error
 * Group: N=3: 6
 * Group: N=9: 362880
 */

#define N 3             // processes
#define BUG 0           // 1: keep the links, 2: keep the tail

process count = N;

global pointer tail;            // the last to enter
global discrete busy: 0..1;     // somebody works on the cycle
local pointer next, prev;

mode outside true {
  when busy == 0 may busy = 1; goto enter;
}

mode enter true {
  when tail == NULL may tail = P; goto alone;
  when tail != NULL may prev = tail; goto look;
}

mode alone true {
  when true may next = P; prev = P; busy = 0; goto inside;
}

mode look true {
  when true may next = prev->next; goto link;
}

mode link true {
  when true may prev->next = P; next->prev = P; goto last;
}

mode last true {
  when true may tail = P; busy = 0; goto inside;
}

mode inside true {
  when busy == 0 may busy = 1; goto leave;
}

mode leave true {
  when next == P may next = NULL; prev = NULL; goto empty;
  when next != P may prev->next = next; prev->next->prev = prev; goto move;
}

mode empty true {
  when true may tail = NULL; busy = 0; goto outside;
}

mode move true {
  when tail == P and BUG != 2 may tail = prev; goto forget;
  when tail == P and BUG == 2 may goto forget;
  when tail != P may goto forget;
}

mode forget true {
  when BUG != 1 may next = NULL; prev = NULL; busy = 0; goto outside;
  when BUG == 1 may busy = 0; goto outside;
}

initially tail == NULL and forall i: outside[i];

risk tail == NULL and exists i: next[i] != NULL;
