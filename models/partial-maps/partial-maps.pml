/* Every process points at a process or at nobody: all partial maps.
 *
 * A pointer is set by a rendezvous: any process may introduce itself to any
 * other, which then points at it. A process may also point at itself or let
 * go. The model is a yardstick for symmetry reduction, because local variables
 * that hold process ids are the hard case. Up to renaming, the states are the
 * partial maps of N unlabelled points. Checked: nobody is introduced to itself.
 * BUG=1 lets a process introduce its friend instead, perhaps to that friend.
 *
 * States: (N+1)^N. Up to renaming: 2, 6, 16, 45, 121, 338, 929 for N = 1..7.
 *
 * Parameters: N (default 4): number of processes
 * Parameters: BUG (default 0): 1 introduces friends
 * Expect: N=2: holds, 9 states
 * Expect: N=4: holds, 625 states
 * Expect: N=6: holds, 117649 states
 * Expect: N=2, symmetry: holds, 6 states
 * Expect: N=4, symmetry: holds, 45 states
 * Expect: N=6, symmetry: holds, 338 states
 * Expect: N=7, symmetry: holds, 929 states
 * Expect: BUG=1: violated, assertion
 * Group: N=4: 24
 * Group: N=7: 5040
 */

#ifndef N
#define N 4
#endif
#ifndef BUG
#define BUG 0
#endif

#define NOBODY 255

chan introduce = [0] of { pid };

active [N] proctype Process() {
    pid friend = NOBODY;

    do
    :: introduce ! _pid
#if BUG
    :: introduce ! friend
#endif
    :: atomic { introduce ? friend -> assert(friend != _pid) }
    :: friend = _pid
    :: friend = NOBODY
    od
}
