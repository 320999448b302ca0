/* Message passing in a hypercube of D dimensions.
 *
 * The nodes are the numbers of D bits; two are linked if one bit differs. A node
 * without work creates a message for any node, as long as fewer than K are under
 * way; a node that holds a message crosses any one dimension in which it is not
 * yet where it belongs. Checked: a message arrives after at most D hops, and
 * nothing gets stuck. After the example of Donaldson and Miller (2005), also in
 * Zhang and others (ASE 2013). The symmetries are those of the cube: 2^D * D!.
 *
 * States (K=1): 1 + (D+1) * 4^D. Up to symmetry: 1 + (D+1)^2.
 *
 * Parameters: D (default 3): number of dimensions, 1 to 6
 * Parameters: K (default 1): number of messages under way
 * Expect: D=2: holds, 49 states
 * Expect: D=3: holds, 257 states
 * Expect: D=6: holds, 28673 states
 * Expect: D=3 K=2: holds, 30849 states
 * Expect: D=4 K=2: holds, 793857 states
 * Expect: D=2, symmetry: holds, 10 states
 * Expect: D=3, symmetry: holds, 17 states
 * Expect: D=3 K=2, symmetry: holds, 936 states
 * Expect: D=6, symmetry: holds, 50 states
 * Group: D=2: 8
 * Group: D=3: 48
 * Group: D=4: 384
 * Group: D=5: 3840
 * Group: D=6: 46080
 */

#ifndef D
#define D 3
#endif
#ifndef K
#define K 1
#endif

#if D == 1
#define NODES 2
#elif D == 2
#define NODES 4
#elif D == 3
#define NODES 8
#elif D == 4
#define NODES 16
#elif D == 5
#define NODES 32
#else
#define NODES 64
#endif

/* Not 0: that is a node, and nothing about it is special. */
#define NOWHERE 255

chan inbox[NODES] = [1] of { byte, byte };      /* destination, hops left */
byte underway;

/* Cross the dimension of this bit if that brings the message nearer. */
inline cross(mask) {
    atomic {
        ((to ^ _pid) & mask) && nfull(inbox[_pid ^ mask]) ->
        assert(hops > 0);
        inbox[_pid ^ mask] ! to, hops - 1;
        to = NOWHERE;
        hops = 0
    }
}

active [NODES] proctype Node() {
    byte to = NOWHERE, hops;

    do
    :: if
        :: inbox[_pid] ? to, hops
        :: atomic {
                underway < K ->
                underway++;
                select(to : 0 .. NODES - 1);
                hops = D
            }
        fi;
        if
        :: d_step {
                to == _pid ->
                underway--;
                to = NOWHERE;
                hops = 0
            }
        :: cross(1)
#if D > 1
        :: cross(2)
#endif
#if D > 2
        :: cross(4)
#endif
#if D > 3
        :: cross(8)
#endif
#if D > 4
        :: cross(16)
#endif
#if D > 5
        :: cross(32)
#endif
        fi
    od
}
