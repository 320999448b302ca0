/* Dining philosophers.
 *
 * Everybody takes the right fork, then the left one, eats, and puts them back in
 * the same order: if all have taken the first, nobody gets a second, a deadlock.
 * With LEFTY=1 philosopher 0 takes the left fork first, which cures it. The
 * first version is the one of Zhang and others (ASE 2013, table II).
 *
 * States (LEFTY=0): L(N) - 1, where L(0) = 2, L(1) = 3 and
 * L(n) = 3 L(n-1) + L(n-2). L(N) counts the ways to share out the forks; the one
 * that cannot be reached is that everybody holds only a left fork. With LEFTY=1
 * all L(N) ways can be reached.
 *
 * Parameters: N (default 5): number of philosophers, at least 2
 * Parameters: LEFTY (default 0): 1 turns the order round for one philosopher
 * Expect: N=3: violated, deadlock, 35 states
 * Expect: N=5: violated, deadlock, 392 states
 * Expect: N=10: violated, deadlock, 154450 states
 * Expect: N=3 LEFTY=1: holds, 36 states
 * Expect: N=8 LEFTY=1: holds, 14159 states
 */

#ifndef N
#define N 5
#endif
#ifndef LEFTY
#define LEFTY 0
#endif

/* Fork f lies to the left of philosopher f and to the right of f-1. */
#define LEFT _pid
#define RIGHT ((_pid + 1) % N)

#if LEFTY
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

active [N] proctype Philosopher() {
    do
    :: take(FIRST);
        take(SECOND);
        skip;           /* eat */
        put(FIRST);
        put(SECOND)
    od
}
