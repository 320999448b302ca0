/* Leader election in a unidirectional ring (Chang and Roberts 1979).
 *
 * Every node sends its name to its neighbour, passes on greater names and drops
 * smaller ones; a name that comes home has won, and its owner announces it.
 * Names are handed out at the start in all N! ways, so that one run checks every
 * ring, and so that no node is special: rotations are symmetries.
 * BUG=1 hands out names that need not differ, and two leaders turn up.
 *
 * Parameters: N (default 3): number of nodes, at least 2
 * Parameters: BUG (default 0): 1 allows equal names
 * Expect: N=2: holds, 19 states
 * Expect: N=3: holds, 139 states
 * Expect: N=5: holds, 18201 states
 * Expect: N=6: holds, 286405 states
 * Expect: N=2, symmetry: holds, 10 states
 * Expect: N=3, symmetry: holds, 47 states
 * Expect: N=5, symmetry: holds, 3641 states
 * Expect: N=3 BUG=1: violated, assertion
 * Group: N=3: 3
 * Group: N=6: 6
 * Group: N=9: 9
 * Group: N=12: 12
 */

#ifndef N
#define N 3
#endif
#ifndef BUG
#define BUG 0
#endif

#define NEXT ((_pid + 1) % N)

mtype = { candidate, elected };

chan link[N] = [N] of { mtype, byte };  /* link[p]: what node p has yet to read */
bool given[N + 1];                      /* given[n]: somebody has the name n */
byte unnamed = N;                       /* nodes without a name */
byte leaders;

/* Choose any name that is still free. There are as many free names as nodes
   without one; the last free name is not skipped, so the walk ends in time. */
inline chooseName() {
    left = unnamed;
    name = 1;
    do
    :: given[name] -> name++
    :: !given[name] -> break
    :: !given[name] && left > 1 -> left--; name++
    od;
    left = 0;
    given[name] = true;
    unnamed--
}

active [N] proctype Node() {
    byte name, other, left;

    atomic {
#if BUG
        select(name : 1 .. N);
#else
        chooseName();
#endif
        link[NEXT] ! candidate(name)
    };

end:
    do
    :: atomic {
            link[_pid] ? candidate(other) ->
            if
            :: other > name -> link[NEXT] ! candidate(other)
            :: other < name
            :: other == name ->
                leaders++;
                assert(leaders == 1);
                link[NEXT] ! elected(name)
            fi;
            other = 0
        }
    :: atomic {
            link[_pid] ? elected(other) ->
            assert(other >= name);
            if
            :: other != name -> link[NEXT] ! elected(other)
            :: else     /* the announcement is back where it began */
            fi;
            other = 0
        }
    od
}
