/* Colouring an undirected ring so that the two neighbours of a node differ.
 *
 * Each node has a colour and, for each colour, a mark that it shares with the
 * neighbour of that colour: whenever two neighbours meet, both turn their marks
 * for each other over. If a node has two neighbours of one colour, its mark gets
 * out of step with theirs; a node that notices takes any colour and copies the
 * mark. The non-deterministic two-hop colouring of Angluin, Aspnes, Fischer and
 * Jiang (2008), also in Zhang and others (ASE 2013). It stabilises by itself, so
 * it may start anyhow: a fault, at any time, leaves anything in a node.
 * Checked: two nodes that have just met agree.
 * BUG=1 forgets to copy the mark.
 *
 * The symmetries: the ring can be turned and reflected, colours can be exchanged
 * and all marks turned over at once, which makes 2N * 3! * 2.
 *
 * States: 24^N, any colour and any marks.
 *
 * Parameters: N (default 3): number of nodes, at least 3
 * Parameters: BUG (default 0): 1 leaves marks out of step
 * Expect: N=3: holds, 13824 states
 * Expect: N=4: holds, 331776 states
 * Expect: N=3, symmetry: holds, 233 states
 * Expect: N=4, symmetry: holds, 3924 states
 * Expect: BUG=1: violated, assertion, 13824 states
 * Group: N=3: 72
 * Group: N=4: 96
 * Group: N=5: 120
 * Group: N=9: 216
 * Group: N=12: 288
 */

#ifndef N
#define N 3
#endif
#ifndef BUG
#define BUG 0
#endif

#define COLOURS 3
#define LEFT ((_pid + N - 1) % N)
#define RIGHT ((_pid + 1) % N)

typedef Memory {
    byte colour;
    bit mark[COLOURS]   /* mark[c]: for the neighbour of colour c */
};

Memory node[N];

#define MINE(other)   node[_pid].mark[node[other].colour]
#define THEIRS(other) node[other].mark[node[_pid].colour]

inline takeAnyColour() {
    if
    :: node[_pid].colour = 0
    :: node[_pid].colour = 1
    :: node[_pid].colour = 2
    fi
}

inline turnAnyMark(c) {
    if
    :: node[_pid].mark[c] = 0
    :: node[_pid].mark[c] = 1
    fi
}

inline meet(other) {
    atomic {
        if
        :: MINE(other) == THEIRS(other) ->
            MINE(other) = 1 - MINE(other);
            THEIRS(other) = 1 - THEIRS(other)
        :: MINE(other) != THEIRS(other) ->
            takeAnyColour();
#if !BUG
            MINE(other) = THEIRS(other)
#endif
        fi;
        assert(MINE(other) == THEIRS(other))
    }
}

active [N] proctype Node() {
    do
    :: meet(LEFT)
    :: meet(RIGHT)
    :: atomic {         /* a fault */
            takeAnyColour();
            turnAnyMark(0);
            turnAnyMark(1);
            turnAnyMark(2)
        }
    od
}
