/* MESI: caches of one line that share a bus, and a copy that no other cache has is exclusive.
 *
 * A cache that reads gets an exclusive copy if all others are invalid, and a shared
 * one otherwise. An exclusive copy is written without a word on the bus; a shared one
 * makes all others invalid first. A copy that another cache reads becomes shared.
 * Checked: an exclusive or modified copy is alone.
 * BUG=1 leaves an exclusive copy as it is when another cache reads.
 * Decided for every N by views of two caches: a guard about all others, and one that
 * asks for a witness.
 *
 * States: 2^N for the caches with a shared copy, 2N where one copy is exclusive or
 * modified; for N=1 the shared copy is missing. N+3 orbits, but 3 for N=1.
 *
 * Parameters: N (default 3): number of caches
 * Parameters: BUG (default 0): 1 forgets exclusive copies
 * Expect: N=1: holds, 3 states
 * Expect: N=2: holds, 8 states
 * Expect: N=3: holds, 14 states
 * Expect: N=5: holds, 42 states
 * Expect: N=1, symmetry: holds, 3 states
 * Expect: N=2, symmetry: holds, 5 states
 * Expect: N=3, symmetry: holds, 6 states
 * Expect: N=5, symmetry: holds, 8 states
 * Expect: N=12, symmetry: holds, 15 states
 * Expect: N=2 BUG=1: violated, assertion
 * Expect: N=3 BUG=1: violated, assertion
 */

const
  N: 3;             -- caches
  BUG: 0;           -- 1: forget exclusive copies

type
  Cache: scalarset(N);
  State: enum { INVALID, SHARED, EXCLUSIVE, MODIFIED };

var
  state: array [Cache] of State;

startstate "no copies"
  for c: Cache do state[c] := INVALID; end;
end;

ruleset c: Cache do

  rule "read the first copy"
    state[c] = INVALID & forall other: Cache do state[other] = INVALID end
  ==>
    state[c] := EXCLUSIVE;
  end;

  rule "read another copy"
    state[c] = INVALID & exists other: Cache do state[other] != INVALID end
  ==>
    for other: Cache do
      if state[other] = MODIFIED | (BUG = 0 & state[other] = EXCLUSIVE) then
        state[other] := SHARED;
      end;
    end;
    state[c] := SHARED;
  end;

  rule "write an exclusive copy"
    state[c] = EXCLUSIVE
  ==>
    state[c] := MODIFIED;
  end;

  rule "write a shared or invalid copy"
    state[c] = SHARED | state[c] = INVALID
  ==>
    for other: Cache do state[other] := INVALID; end;
    state[c] := MODIFIED;
  end;

  rule "evict"
    state[c] != INVALID
  ==>
    state[c] := INVALID;
  end;

end;

invariant "an exclusive or modified copy is alone"
  forall c: Cache; other: Cache do
    c = other | (state[c] != EXCLUSIVE & state[c] != MODIFIED) | state[other] = INVALID
  end;
