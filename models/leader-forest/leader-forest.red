/* Leader election by adoption: everybody becomes somebody's child, but for one.
 *
 * From the description in Wang and Schmidt, "Symmetric Symbolic Safety-Analysis
 * of Concurrent Software with Pointer Data Structures": a process that is nobody's
 * child asks to be one; another that is nobody's child writes its address into
 * a variable for all, and the one that asked takes it for its parent. One question
 * at a time. The parents make a forest, and some process stays a root.
 * BUG=1 drops an assignment: the answer is not taken away, and the next to ask finds it,
 * be it its own.
 *
 * Parameters: N (default 3): number of processes
 * Parameters: BUG (default 0): 1 leaves the answer behind
 * Expect: N=2: holds, 9 states
 * Expect: N=3: holds, 58 states
 * Expect: N=4: holds, 505 states
 * Expect: N=5: holds, 5616 states
 * Expect: N=6: holds, 76489 states
 * Expect: N=3, symmetry: holds, 12 states
 * Expect: N=4, symmetry: holds, 30 states
 * Expect: N=5, symmetry: holds, 75 states
 * Expect: N=6, symmetry: holds, 191 states
 * Expect: N=7, symmetry: holds, 489 states
 * Expect: N=8, symmetry: holds, 1267 states
 * Expect: N=9, symmetry: holds, 3307 states
 * Expect: N=2 BUG=1: violated, assertion
 * Expect: N=3 BUG=1: violated, assertion
 * Group: N=3: 6
 * Group: N=9: 362880
 */

#define N 3             // processes
#define BUG 0           // 1: leave the answer behind

process count = N;

global pointer asking, answer;  // who asks, and who has answered
local pointer parent;

mode root true {
  when asking == NULL may asking = P; goto waiting;
  when asking != NULL and answer == NULL may answer = P;
}

mode waiting true {
  when answer != NULL and BUG == 0 may parent = answer; answer = NULL; asking = NULL; goto child;
  when answer != NULL and BUG == 1 may parent = answer; asking = NULL; goto child;
}

mode child true { }

initially asking == NULL and answer == NULL and forall i: root[i] and parent[i] == NULL;

risk forall i: parent[i] != NULL;
