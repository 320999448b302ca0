/* Leader election in a rooted tree of agents without names.
 *
 * A leader hands its office to its parent; if that is a leader already, one office
 * is lost. So in the end only the root is left. An agent becomes a leader if an
 * oracle says that there is none; the oracle may be wrong for any length of time. After
 * Canepa and Potop-Butucaru (2007), also in Zhang and others (ASE 2013). It
 * stabilises by itself: every set of leaders can be reached, so it may start with any.
 * Checked: the last office is never lost.
 * BUG=1 lets an agent drop its office before it knows that the parent has one.
 *
 * The tree is the one of a heap: K children for each agent, in the order of their
 * numbers, as long as there are agents. Equal subtrees of a node can be exchanged,
 * so the group is the product, over all nodes, of the factorials of how many
 * children have equal subtrees.
 *
 * States: 2^(N+1).
 *
 * Parameters: N (default 5): number of agents
 * Parameters: K (default 2): number of children of an agent
 * Parameters: BUG (default 0): 1 loses offices
 * Expect: default: holds, 64 states
 * Expect: N=7: holds, 256 states
 * Expect: N=13 K=3: holds, 16384 states
 * Expect: N=15: holds, 65536 states
 * Expect: default, symmetry: holds, 48 states
 * Expect: N=7, symmetry: holds, 84 states
 * Expect: N=13 K=3, symmetry: holds, 480 states
 * Expect: BUG=1: violated, assertion
 * Group: default: 2
 * Group: N=7: 8
 * Group: N=11: 16
 * Group: N=19: 128
 * Group: N=13 K=3: 1296
 * Group: N=6 K=5: 120
 */

#ifndef N
#define N 5
#endif
#ifndef K
#define K 2
#endif
#ifndef BUG
#define BUG 0
#endif

#define PARENT ((_pid - 1) / K)

bool leader[N];         /* leader[a]: agent a is a leader */
byte leaders;           /* how many there are */
bool silence;           /* the oracle says that there is none */

active [N] proctype Agent() {
    do
    :: d_step {
            silence && !leader[_pid] ->
            leader[_pid] = true;
            leaders++
        }
    :: d_step {
            _pid > 0 && leader[_pid] ->
            leader[_pid] = false;
            if
#if !BUG
            :: !leader[PARENT] -> leader[PARENT] = true
#endif
            :: else ->
                leaders--;
                assert(leaders > 0)
            fi
        }
    od
}

active proctype Oracle() {
    do
    :: silence = true
    :: silence = false
    od
}
