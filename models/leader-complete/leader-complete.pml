/* Leader election in a complete graph of agents without names.
 *
 * Any two agents may meet. If both are leaders, one of them resigns; if neither
 * is, and an oracle says that there is no leader, one of them becomes a leader. The
 * oracle may be wrong for any length of time. The protocol of Fischer and Jiang
 * (2006), also in Zhang and others (ASE 2013). It stabilises by itself: every set
 * of leaders but one can be reached, so it may start with any.
 * Checked: the last leader never resigns.
 * BUG=1 lets both leaders resign when they meet.
 *
 * States: 2 * (2^N - 1); not all the agents become leaders, because the last one
 * meets nobody else who is none. Up to symmetry: 2N.
 *
 * Parameters: N (default 4): number of agents, at least 2
 * Parameters: BUG (default 0): 1 makes both leaders resign
 * Expect: N=2: holds, 6 states
 * Expect: N=4: holds, 30 states
 * Expect: N=10: holds, 2046 states
 * Expect: N=15: holds, 65534 states
 * Expect: N=4, symmetry: holds, 8 states
 * Expect: N=10, symmetry: holds, 20 states
 * Expect: N=15, symmetry: holds, 30 states
 * Expect: BUG=1: violated, assertion
 * Group: N=3: 6
 * Group: N=5: 120
 * Group: N=12: 479001600
 * Group: N=15: 1307674368000
 */

#ifndef N
#define N 4
#endif
#ifndef BUG
#define BUG 0
#endif

#define NOBODY 255

bool leader[N];         /* leader[a]: agent a is a leader */
byte leaders;           /* how many there are */
bool silence;           /* the oracle says that there is none */

inline resign(agent) {
    leader[agent] = false;
    leaders--
}

active [N] proctype Agent() {
    byte other = NOBODY;

    do
    :: atomic {
            select(other : 0 .. N - 1);
            if
            :: other != _pid && leader[_pid] && leader[other] ->
                resign(other);
#if BUG
                resign(_pid);
#endif
                assert(leaders > 0)
            :: other != _pid && !leader[_pid] && !leader[other] && silence ->
                leader[_pid] = true;
                leaders++
            :: else     /* nothing comes of it */
            fi;
            other = NOBODY
        }
    od
}

active proctype Oracle() {
    do
    :: silence = true
    :: silence = false
    od
}
