/* Token circulation in a directed ring.
 *
 * Each agent has a label of one bit. When two neighbours meet, the second takes
 * over the label of the first, or, if it is the leader, the opposite label; whoever
 * changes its label that way gets the token. After a while there is one token. The
 * protocol of Angluin, Aspnes, Fischer and Jiang (2008), after Dijkstra; the
 * running example of Zhang and others (ASE 2013). It stabilises by itself, so it
 * may start anyhow: a fault, at any time, leaves anything in an agent, and the
 * election that it relies on may change its mind.
 * Checked: there is always somebody who can hand a token on.
 * BUG=1 lets the leader copy labels like everybody else.
 *
 * The symmetries: the ring can be turned, and all labels turned over: 2N.
 *
 * States: N * 4^N, any leader and anything in the agents. Up to symmetry: 4^N / 2.
 *
 * Parameters: N (default 3): number of agents, at least 2
 * Parameters: BUG (default 0): 1 makes the leader copy labels
 * Expect: N=2: holds, 32 states
 * Expect: N=3: holds, 192 states
 * Expect: N=5: holds, 5120 states
 * Expect: N=7: holds, 114688 states
 * Expect: N=2, symmetry: holds, 8 states
 * Expect: N=3, symmetry: holds, 32 states
 * Expect: N=5, symmetry: holds, 512 states
 * Expect: N=7, symmetry: holds, 8192 states
 * Expect: BUG=1: violated, assertion, 192 states
 * Group: N=3: 6
 * Group: N=4: 8
 * Group: N=5: 10
 * Group: N=12: 24
 */

#ifndef N
#define N 3
#endif
#ifndef BUG
#define BUG 0
#endif

#define NEXT(agent) ((agent + 1) % N)

bit label[N];
bool token[N];
pid leader;
hidden byte agent, alive; /* of no meaning between steps */

/* Whether a token can go from this agent to the next. */
#if BUG
#define CAN_PASS(agent) (label[agent] != label[NEXT(agent)])
#else
#define CAN_PASS(agent) \
    ((label[agent] == label[NEXT(agent)]) == (leader == NEXT(agent)))
#endif

inline pass() {
    token[_pid] = false;
    token[NEXT(_pid)] = true;
    label[NEXT(_pid)] = 1 - label[NEXT(_pid)]
}

inline assertAlive() {
    alive = false;
    for (agent : 0 .. N - 1) {
        alive = alive || CAN_PASS(agent)
    };
    assert(alive)
}

active [N] proctype Agent() {
    do
    :: d_step {
            CAN_PASS(_pid) ->
            pass();
            assertAlive()
        }
    :: leader = _pid    /* another election */
    :: atomic {         /* a fault */
            if
            :: label[_pid] = 0
            :: label[_pid] = 1
            fi;
            if
            :: token[_pid] = false
            :: token[_pid] = true
            fi
        }
    od
}
