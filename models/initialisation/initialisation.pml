/* The initialisation protocol: nobody starts before everybody is ready.
 *
 * N components have an initial and a main part, and none may begin its main part
 * before all have finished the initial one. They share only booleans, and these
 * hold arbitrary values at first: to wait for a flag one has to clear it, and the
 * clearing may destroy a signal already given. So each component has a partner
 * (a co-component) that repeats its signal until the component has got through,
 * and once more. After Feijen and van Gasteren, "On a Method of Multiprogramming"
 * (1999), used in "Symmetric Spin" (2002, table 3); this is a formulation of our
 * own, so the counts are not those of that table (2578 and 131484 for N = 2, 3).
 * BUG=1 lets the partner signal once only, and a cleared signal is lost for good.
 *
 * Parameters: N (default 3): number of components, 2 to 4
 * Parameters: BUG (default 0): 1 stops the repetition
 * Expect: N=2: holds, 72 states
 * Expect: N=3: holds, 1605 states
 * Expect: N=4: holds, 138774 states
 * Expect: N=2, symmetry: holds, 42 states
 * Expect: N=3, symmetry: holds, 330 states
 * Expect: N=4, symmetry: holds, 6632 states
 * Expect: N=2 BUG=1: violated, deadlock
 * Group: N=2: 2
 * Group: N=3: 6
 */

#ifndef N
#define N 3
#endif
#ifndef BUG
#define BUG 0
#endif

typedef Row {
    bool from[N]
};

Row heard[N];           /* heard[p].from[q]: q has told p that it is ready */
byte missing[N];        /* missing[p]: how many flags of row p are down */
byte ready;             /* how many components have finished the initial part */
chan partner[N] = [0] of { bool };      /* between a component and its partner */
hidden byte other;      /* loop counter, of no meaning between steps */

proctype Component(byte me) {
    ready++;            /* the initial part */

    d_step {            /* whatever the flags say now, it is not to be trusted */
        for (other : 0 .. N - 1) {
            heard[me].from[other] = (other == me)
        }
        missing[me] = N - 1
    };
    partner[me] ! true; /* from here on others may be told */
    missing[me] == 0;
    assert(ready == N); /* the main part begins */
    partner[me] ! false;

end:
    false               /* stay: the death of a process would be a step, too */
}

/* Raise a flag that is down: the same as raising it, without idle repetition. */
inline tell(q) {
    d_step {
        !heard[q].from[me] ->
        heard[q].from[me] = true;
        missing[q]--
    }
}

#if N == 2
#define TELL_SOMEBODY :: tell(0) :: tell(1)
#elif N == 3
#define TELL_SOMEBODY :: tell(0) :: tell(1) :: tell(2)
#else
#define TELL_SOMEBODY :: tell(0) :: tell(1) :: tell(2) :: tell(3)
#endif

proctype Partner(byte me) {
    partner[me] ? true;
#if !BUG
    do
    TELL_SOMEBODY
    :: partner[me] ? false -> break
    od;
#endif
    /* All have heard from each other, so nobody clears flags any more: those
       that are down now need one more signal each, and that is all. (With BUG=1
       this round is the only one, and what it says is not yet true.) */
    do
    TELL_SOMEBODY
    :: else -> break
    od;
#if BUG
    partner[me] ? false;
#endif

end:
    false
}

init {
    byte p, q;
    atomic {
        for (p : 0 .. N - 1) {
            for (q : 0 .. N - 1) {
                if          /* arbitrary, but everybody knows of itself */
                :: heard[p].from[q] = true
                :: p != q -> missing[p]++
                fi
            }
            run Component(p);
            run Partner(p)
        }
    }
}
