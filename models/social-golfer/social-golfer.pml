/* The social golfer problem.
 *
 * G * S golfers play for W weeks, each week in G groups of S. Nobody wants to play
 * with anybody twice. Golfers are put down, one by one, for any group with a free
 * place in which they know nobody. That the schedule never gets complete is claimed;
 * a counterexample is a schedule. From Zhang and others (ASE 2013), where a problem
 * is written 3-3-2 for G, S and W.
 *
 * The groups of all weeks are numbered through: group t plays in week t / G. There
 * is a process for each pair of a golfer and a group. The groups of a week are
 * filled in order, so golfers and weeks can be exchanged: (G*S)! * W!. With FREE=1
 * they are filled in any order, and the groups of each week can be exchanged as
 * well: times (G!)^W.
 *
 * Parameters: G (default 2): number of groups
 * Parameters: S (default 2): number of golfers in a group
 * Parameters: W (default 2): number of weeks
 * Parameters: FREE (default 0): 1 fills the groups of a week in any order
 * Expect: default: violated, assertion, 703 states
 * Expect: G=3 W=1: violated, assertion, 442 states
 * Expect: W=3: violated, assertion, 14159 states
 * Expect: FREE=1: violated, assertion, 3597 states
 * Expect: default, symmetry: violated, assertion, 27 states
 * Expect: W=3, symmetry: violated, assertion, 146 states
 * Expect: W=4, symmetry: holds, 561 states
 * Expect: FREE=1, symmetry: violated, assertion, 40 states
 * Group: default: 48
 * Group: W=3: 144
 * Group: G=3: 1440
 * Group: G=3 S=3: 725760
 * Group: G=4 S=4: 41845579776000
 * Group: FREE=1: 192
 * Group: W=3 FREE=1: 1152
 * Group: G=3 FREE=1: 51840
 */

#ifndef G
#define G 2
#endif
#ifndef S
#define S 2
#endif
#ifndef W
#define W 2
#endif
#ifndef FREE
#define FREE 0
#endif

#define GOLFERS (G * S)
#define GROUPS (G * W)

/* What a process is there for. */
#define ME (_pid % GOLFERS)
#define MINE (_pid / GOLFERS)
#define MONDAY (MINE / G * G)   /* the first group of that week */

typedef Golfers {
    bool golfer[GOLFERS]
};

Golfers in[GROUPS];     /* in[t].golfer[p]: golfer p plays in group t */
Golfers knows[GOLFERS]; /* knows[p].golfer[q]: they are in a group together */
byte size[GROUPS];      /* how many golfers are in the group */
byte placed;            /* how many places are taken in all */
hidden byte i, fits;    /* of no meaning between steps */

/* Whether the golfer can join: not yet anywhere in that week, and a stranger to
   everybody in the group. */
inline tryOn() {
    fits = (size[MINE] < S);
#if !FREE
    fits = fits && (MINE == MONDAY || size[MINE - 1] == S);
#endif
    for (i : MONDAY .. MONDAY + G - 1) {
        fits = fits && !in[i].golfer[ME]
    };
    for (i : 0 .. GOLFERS - 1) {
        fits = fits && !(in[MINE].golfer[i] && knows[ME].golfer[i])
    }
}

inline join() {
    for (i : 0 .. GOLFERS - 1) {
        knows[ME].golfer[i] = knows[ME].golfer[i] || in[MINE].golfer[i];
        knows[i].golfer[ME] = knows[i].golfer[ME] || in[MINE].golfer[i]
    };
    in[MINE].golfer[ME] = true;
    size[MINE]++;
    placed++;
    assert(placed < GROUPS * S)
}

active [GOLFERS * GROUPS] proctype Place() {
    do
    :: d_step {
            tryOn();
            if
            :: fits -> join()
            :: else
            fi
        }
    od
}
