/* Peterson's algorithm that looks at the others one by one, in any order.
 *
 * The waiting rooms of peterson.pml, but nobody looks at all the others at once: a
 * process that waits has a branch for each of them, takes the branches in any order,
 * and notes whom it has seen behind it in a step of its own. In between, where it is
 * in the text says whom it looks at. Checked: never two inside.
 * BUG=1 lets a process look at all others but one.
 *
 * Names can be exchanged in all ways: N!.
 *
 * Parameters: N (2 to 4, default 2): number of processes
 * Parameters: BUG (default 0): 1 makes the processes careless
 * Expect: N=2: holds, 405 states
 * Expect: N=3: holds, 194651 states
 * Expect: N=2, symmetry: holds, 205 states
 * Expect: N=3, symmetry: holds, 32627 states
 * Expect: N=2 BUG=1: violated, assertion
 * Expect: N=2 BUG=1, symmetry: violated, assertion
 * Group: N=2: 2
 * Group: N=3: 6
 * Group: N=4: 24
 */

#ifndef N
#define N 2
#endif
#ifndef BUG
#define BUG 0
#endif

#define NOBODY 255

#define ENOUGH (N - BUG)

byte room[N];       /* room[i]: how far i has come; 0 is outside */
byte last[N] = NOBODY;  /* last[r]: who came into room r last */
byte inside;

#define LOOK(k) \
    !seen[k] && (me == k || room[k] < r) -> seen[k] = true; many++

proctype P(byte me) {
    byte r = 1;         /* the room to go to */
    byte many;          /* how many are seen behind */
    bool seen[N];

again:
    r = 1;
    do
    :: r < N ->
        room[me] = r;
        last[r] = me;
        do
        :: last[r] != me -> break
        :: LOOK(0)
        :: LOOK(1)
#if N > 2
        :: LOOK(2)
#endif
#if N > 3
        :: LOOK(3)
#endif
        :: many == ENOUGH -> break
        od;
        d_step {
            many = 0;
            seen[0] = false;
            seen[1] = false;
#if N > 2
            seen[2] = false;
#endif
#if N > 3
            seen[3] = false;
#endif
            r++
        }
    :: else -> break
    od;
    inside++;
    assert(inside == 1);
    inside--;
    room[me] = 0;
    goto again
}

init {
    atomic {
        byte i;
        for (i : 0 .. N - 1) {
            run P(i)
        }
    }
}
