/* Dining philosophers.
 *
 * Everybody takes the right fork, then the left one, eats, and puts them back in
 * the same order: if all have taken the first, nobody gets a second, a deadlock.
 * With LEFTY=1 philosopher 0 takes the left fork first, which cures it; with ANY=1
 * everybody takes whichever fork is there first, which does not. The first version is
 * the one of Zhang and others (ASE 2013, table II).
 *
 * The symmetries: the ring can be turned, and with ANY=1 reflected. Nothing is left
 * of that with LEFTY=1.
 *
 * States (LEFTY=0): L(N) - 1, where L(0) = 2, L(1) = 3 and
 * L(n) = 3 L(n-1) + L(n-2). L(N) counts the ways to share out the forks; the one
 * that cannot be reached is that everybody holds only a left fork. With LEFTY=1
 * all L(N) ways can be reached. With ANY=1: 5^N - 2.
 *
 * Parameters: N (default 5): number of philosophers, at least 2
 * Parameters: LEFTY (default 0): 1 turns the order round for one philosopher
 * Parameters: ANY (default 0): 1 leaves the order to everybody; not with LEFTY
 * Expect: N=3: violated, deadlock, 35 states
 * Expect: N=5: violated, deadlock, 392 states
 * Expect: N=10: violated, deadlock, 154450 states
 * Expect: N=3 LEFTY=1: holds, 36 states
 * Expect: N=8 LEFTY=1: holds, 14159 states
 * Expect: N=3 ANY=1: violated, deadlock, 123 states
 * Expect: N=5 ANY=1: violated, deadlock, 3123 states
 * Expect: N=7 ANY=1: violated, deadlock, 78123 states
 * Expect: N=3, symmetry: violated, deadlock, 13 states
 * Expect: N=5, symmetry: violated, deadlock, 80 states
 * Expect: N=10, symmetry: violated, deadlock, 15489 states
 * Expect: N=3 ANY=1, symmetry: violated, deadlock, 23 states
 * Expect: N=5 ANY=1, symmetry: violated, deadlock, 321 states
 * Expect: N=7 ANY=1, symmetry: violated, deadlock, 5619 states
 * Group: N=3: 3
 * Group: N=5: 5
 * Group: N=10: 10
 * Group: N=20: 20
 * Group: N=3 ANY=1: 6
 * Group: N=5 ANY=1: 10
 * Group: N=10 ANY=1: 20
 * Group: N=5 LEFTY=1: 1
 */

#ifndef N
#define N 5
#endif
#ifndef LEFTY
#define LEFTY 0
#endif
#ifndef ANY
#define ANY 0
#endif

/* Fork f lies to the left of philosopher f and to the right of f-1. */
#define LEFT _pid
#define RIGHT ((_pid + 1) % N)

#if ANY
#define NONE 255
#define FIRST first
#define SECOND second
#elif LEFTY
/* RIGHT and LEFT, but the other way round for philosopher 0. */
#define FIRST ((_pid + (_pid != 0)) % N)
#define SECOND ((_pid + (_pid == 0)) % N)
#else
#define FIRST RIGHT
#define SECOND LEFT
#endif

bool taken[N];          /* taken[f]: fork f is in somebody's hand */

inline take(fork) {
    d_step {
        !taken[fork] ->
        taken[fork] = true
    }
}

inline put(fork) {
    d_step {
        assert(taken[fork]);
        taken[fork] = false
    }
}

#if ANY
/* Take one of the two forks, whichever, and remember which. */
inline takeFirst() {
    atomic {
        if
        :: !taken[LEFT] -> first = LEFT; second = RIGHT
        :: !taken[RIGHT] -> first = RIGHT; second = LEFT
        fi;
        taken[first] = true
    }
}
#else
inline takeFirst() {
    take(FIRST)
}
#endif

active [N] proctype Philosopher() {
#if ANY
    byte first = NONE, second = NONE;
#endif

    do
    :: takeFirst();
        take(SECOND);
        skip;           /* eat */
        put(FIRST);
#if ANY
        d_step { put(SECOND); first = NONE; second = NONE }
#else
        put(SECOND)
#endif
    od
}
