/* Readers and writers.
 *
 * R readers may be inside together, a writer only on its own. Every process
 * goes round noncritical, trying, critical. There is full symmetry within each
 * of the two families and none between them; the survey of Wahl and Donaldson
 * (2010, figure 10) uses it, with 2 readers and 1 writer, as its example of a
 * system that is symmetric only in part.
 * BUG=1 lets a writer in without asking for readers.
 *
 * States: 3^R * 2^W with no writer inside, 2^R * W * 2^(W-1) with one inside.
 *
 * Parameters: R (default 2): number of readers
 * Parameters: W (default 1): number of writers
 * Parameters: BUG (default 0): 1 weakens the guard of the writers
 * Expect: R=2 W=1: holds, 22 states
 * Expect: R=3 W=2: holds, 140 states
 * Expect: R=9 W=4: holds, 331312 states
 * Expect: R=2 W=1, symmetry: holds, 15 states
 * Expect: R=3 W=2, symmetry: holds, 38 states
 * Expect: R=9 W=4, symmetry: holds, 315 states
 * Expect: R=2 W=1 BUG=1: violated, assertion
 * Group: R=2 W=1: 2
 * Group: R=3 W=2: 12
 * Group: R=9 W=4: 8709120
 */

#ifndef R
#define R 2
#endif
#ifndef W
#define W 1
#endif
#ifndef BUG
#define BUG 0
#endif

byte reading;           /* how many readers are inside */
byte writing;           /* how many writers are inside */

active [R] proctype Reader() {
    do
    :: skip;            /* noncritical -> trying */
        d_step {        /* trying -> critical */
            writing == 0 ->
            reading++
        };
        d_step {        /* critical -> noncritical */
            assert(writing == 0);
            reading--
        }
    od
}

active [W] proctype Writer() {
    do
    :: skip;            /* noncritical -> trying */
        d_step {        /* trying -> critical */
#if BUG
            writing == 0 ->
#else
            writing == 0 && reading == 0 ->
#endif
            writing++
        };
        d_step {        /* critical -> noncritical */
            assert(writing == 1 && reading == 0);
            writing--
        }
    od
}
