/* Readers and writers without a queue: a writer waits until nobody is inside.
 *
 * Clients are idle, read or write. Readers come in as long as the door is open; a
 * writer looks at all clients at once, and closes the door behind it.
 * Checked: a writer inside is alone, and then the door is closed.
 * BUG=1: a writer looks at the door alone.
 * Decided for every N by views of two clients: a guard about all others.
 *
 * States: 2^N for the clients that read, N where one writes. N+2 orbits.
 *
 * Parameters: N (default 3): number of clients
 * Parameters: BUG (default 0): 1 forgets the readers
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
  N: 3;             -- clients
  BUG: 0;           -- 1: forget the readers

type
  Client: scalarset(N);
  State: enum { IDLE, READING, WRITING };

var
  state: array [Client] of State;
  open: boolean;

startstate "nobody is inside"
  for c: Client do state[c] := IDLE; end;
  open := true;
end;

ruleset c: Client do

  rule "begin to read"
    state[c] = IDLE & open
  ==>
    state[c] := READING;
  end;

  rule "end reading"
    state[c] = READING
  ==>
    state[c] := IDLE;
  end;

  rule "begin to write"
    state[c] = IDLE & open & (BUG = 1 | forall other: Client do state[other] = IDLE end)
  ==>
    state[c] := WRITING;
    open := false;
  end;

  rule "end writing"
    state[c] = WRITING
  ==>
    state[c] := IDLE;
    open := true;
  end;

end;

invariant "a writer is alone"
  forall c: Client; other: Client do
    c = other | state[c] != WRITING | state[other] = IDLE
  end;

invariant "the door is closed behind a writer"
  forall c: Client do state[c] = WRITING -> !open end;
