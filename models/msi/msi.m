/* MSI: caches of one line that share a bus.
 *
 * A copy is shared, or modified by the one cache that has written last. A cache that
 * reads takes the line from that one, if there is one, which writes it back. A cache
 * that writes takes the line and makes all other copies invalid. `fresh` says whether
 * a copy has the value that was written last: a ghost, which no guard asks for.
 * Checked: who has a modified copy is alone, and every valid copy is fresh.
 * BUG=1 leaves shared copies valid when another cache writes.
 * Decided for every N by views of two caches.
 *
 * States: 2^N for the caches with a shared copy, N where one copy is modified.
 * N+2 orbits.
 *
 * Parameters: N (default 3): number of caches
 * Parameters: BUG (default 0): 1 leaves shared copies valid
 * Expect: N=1: holds, 3 states
 * Expect: N=2: holds, 6 states
 * Expect: N=3: holds, 11 states
 * Expect: N=5: holds, 37 states
 * Expect: N=1, symmetry: holds, 3 states
 * Expect: N=2, symmetry: holds, 4 states
 * Expect: N=3, symmetry: holds, 5 states
 * Expect: N=5, symmetry: holds, 7 states
 * Expect: N=12, symmetry: holds, 14 states
 * Expect: N=2 BUG=1: violated, assertion
 * Expect: N=3 BUG=1: violated, assertion
 */

const
  N: 3;             -- caches
  BUG: 0;           -- 1: leave shared copies valid

type
  Cache: scalarset(N);
  State: enum { INVALID, SHARED, MODIFIED };

var
  state: array [Cache] of State;
  fresh: array [Cache] of boolean;
  memory_fresh: boolean;
  owner: Cache;           -- undefined: no copy is modified

/* The owner writes its value back. */
procedure write_back();
begin
  if !isundefined(owner) then
    memory_fresh := fresh[owner];
    state[owner] := SHARED;
    undefine owner;
  end;
end;

startstate "no copies"
  for c: Cache do
    state[c] := INVALID;
    fresh[c] := false;
  end;
  memory_fresh := true;
  undefine owner;
end;

ruleset c: Cache do

  rule "read"
    state[c] = INVALID
  ==>
    write_back();
    state[c] := SHARED;
    fresh[c] := memory_fresh;
  end;

  rule "write"
    state[c] != MODIFIED
  ==>
    write_back();
    for other: Cache do
      if other != c & (BUG = 0 | state[other] = MODIFIED) then
        state[other] := INVALID;
      end;
      fresh[other] := false;
    end;
    state[c] := MODIFIED;
    fresh[c] := true;
    memory_fresh := false;
    owner := c;
  end;

  rule "evict"
    state[c] != INVALID
  ==>
    if !isundefined(owner) & owner = c then
      write_back();
    end;
    state[c] := INVALID;
    fresh[c] := false;
  end;

end;

invariant "a modified copy is alone"
  forall c: Cache; other: Cache do
    c = other | state[c] != MODIFIED | state[other] = INVALID
  end;

invariant "valid copies are fresh"
  forall c: Cache do state[c] != INVALID -> fresh[c] end;
