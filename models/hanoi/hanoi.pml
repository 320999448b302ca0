/* The towers of Hanoi.
 *
 * All disks lie on the first peg, the smallest on top. One at a time moves to
 * another peg, never onto a smaller one. That they never come to lie on the last peg
 * is claimed and is wrong: the counterexample is a solution, and the shortest one
 * with three pegs takes 2^DISKS - 1 moves. A data symmetry, from Zhang and others
 * (ASE 2013): all pegs but the one that the claim names can be exchanged, and all
 * pegs with CLAIM=0, where nothing is claimed.
 *
 * States: PEGS^DISKS. With three pegs, up to symmetry: (3^DISKS + 1) / 2.
 *
 * Parameters: DISKS (default 3): number of disks
 * Parameters: PEGS (default 3): number of pegs
 * Parameters: CLAIM (default 1): 0 leaves the claim out
 * Expect: default: violated, assertion, 27 states
 * Expect: DISKS=6: violated, assertion, 729 states
 * Expect: DISKS=10: violated, assertion, 59049 states
 * Expect: DISKS=5 PEGS=4: violated, assertion, 1024 states
 * Expect: CLAIM=0: holds, 27 states
 * Expect: default, symmetry: violated, assertion, 14 states
 * Expect: DISKS=6, symmetry: violated, assertion, 365 states
 * Expect: DISKS=10, symmetry: violated, assertion, 29525 states
 * Expect: DISKS=5 PEGS=4, symmetry: violated, assertion, 187 states
 * Expect: CLAIM=0, symmetry: holds, 5 states
 * Expect: DISKS=6 CLAIM=0, symmetry: holds, 122 states
 * Group: default: 2
 * Group: DISKS=6: 2
 * Group: DISKS=3 PEGS=4: 6
 * Group: DISKS=5 PEGS=5: 24
 * Group: CLAIM=0: 6
 */

#ifndef DISKS
#define DISKS 3
#endif
#ifndef PEGS
#define PEGS 3
#endif
#ifndef CLAIM
#define CLAIM 1
#endif

#define GOAL (PEGS - 1)
#define NOWHERE 255

byte peg[DISKS];        /* peg[d]: where disk d lies; 0 is the smallest disk */
hidden byte d, good;    /* of no meaning between steps */

/* Move this disk, if no smaller one lies on it or on the other peg. */
inline move(to) {
    d_step {
        good = true;
        for (d : 0 .. _pid - 1) {
            good = good && peg[d] != peg[_pid] && peg[d] != to
        };
        if
        :: good -> peg[_pid] = to
        :: else
        fi
    }
}

inline assertUnsolved() {
    d_step {
        good = true;
        for (d : 0 .. DISKS - 1) {
            good = good && peg[d] == GOAL
        };
        assert(!good)
    }
}

active [DISKS] proctype Disk() {
    byte to = NOWHERE;

    do
    :: atomic {
            select(to : 0 .. PEGS - 1);
            move(to);
#if CLAIM
            assertUnsolved();
#endif
            to = NOWHERE
        }
    od
}
