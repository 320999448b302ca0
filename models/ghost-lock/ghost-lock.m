/* A lock with a ghost variable that says who has it.
 *
 * A process wants the lock, takes it while it is free, and gives it back. No guard
 * asks for `owner`: it is there for the properties alone, and a pointer in a shared
 * variable is what views of processes can speak of.
 * Checked: who is inside owns the lock, and gives back what it owns.
 * BUG=1 looks at the lock in one step and takes it in the next.
 * Decided for every N by views of one process.
 *
 * States: 2^N while the lock is free, N * 2^(N-1) while a process has it. 2N+1 orbits.
 *
 * Parameters: N (default 3): number of processes
 * Parameters: BUG (default 0): 1 takes the lock one step after it was free
 * Expect: N=1: holds, 3 states
 * Expect: N=2: holds, 8 states
 * Expect: N=3: holds, 20 states
 * Expect: N=5: holds, 112 states
 * Expect: N=1, symmetry: holds, 3 states
 * Expect: N=2, symmetry: holds, 5 states
 * Expect: N=3, symmetry: holds, 7 states
 * Expect: N=5, symmetry: holds, 11 states
 * Expect: N=12, symmetry: holds, 25 states
 * Expect: N=2 BUG=1: violated, assertion
 * Expect: N=3 BUG=1: violated, assertion
 */

const
  N: 3;             -- processes
  BUG: 0;           -- 1: take the lock one step after it was free

type
  Process: scalarset(N);
  State: enum { IDLE, WAITING, SEEN, INSIDE };

var
  state: array [Process] of State;
  taken: boolean;
  owner: Process;         -- undefined: the lock is free

startstate "the lock is free"
  for p: Process do state[p] := IDLE; end;
  taken := false;
  undefine owner;
end;

ruleset p: Process do

  rule "want"
    state[p] = IDLE
  ==>
    state[p] := WAITING;
  end;

  rule "see that it is free"
    BUG = 1 & state[p] = WAITING & !taken
  ==>
    state[p] := SEEN;
  end;

  rule "take"
    state[p] = SEEN | (BUG = 0 & state[p] = WAITING & !taken)
  ==>
    state[p] := INSIDE;
    taken := true;
    owner := p;
  end;

  rule "give back"
    state[p] = INSIDE
  ==>
    assert "the owner gives back" !isundefined(owner) & owner = p;
    state[p] := IDLE;
    taken := false;
    undefine owner;
  end;

end;

invariant "who is inside owns the lock"
  forall p: Process do
    state[p] = INSIDE -> taken & !isundefined(owner) & owner = p
  end;
