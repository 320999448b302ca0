/* Leader election in a one-way ring, in Murphi.
 *
 * Every node may send its name round the ring. A node swallows names smaller than
 * its own and passes greater ones on, and whoever gets its own name back is the
 * leader. Who has passed a name on will not start any more. Once it is elected,
 * the leader may call another election. After Chang and Roberts (1979).
 * Places in the ring and names are numbers: arithmetic finds the neighbour, and
 * names are compared. So there is nothing to exchange freely; what is left is to
 * turn the ring, which maps one start state to another.
 * The names are dealt out in steps of 1, 2 and so on; an assumption takes those
 * deals away that give a name twice.
 * Checked: at most one leader, the one with the greatest name, and the ring is
 * empty by then.
 * BUG=1 lets a node start although it has passed a name on. BUG=2 overlooks that
 * a name has come back, so nobody ever leads.
 *
 * Parameters: N (default 3): number of nodes
 * Parameters: BUG (default 0): 1 starts too late, 2 does not know the own name
 * Expect: N=2: holds, 16 states
 * Expect: N=3: holds, 138 states
 * Expect: N=4: holds, 548 states
 * Expect: N=5: holds, 3915 states
 * Expect: N=6: holds, 7800 states
 * Expect: N=7: holds, 71239 states
 * Expect: N=3 BUG=1: violated, assertion
 * Expect: N=4 BUG=1: violated, assertion
 * Expect: N=3 BUG=2: violated, liveness
 * Rules: N=2: 22
 * Rules: N=3: 258
 * Rules: N=4: 1312
 * Rules: N=5: 11615
 * Rules: N=6: 26514
 * Rules: N=7: 289464
 * Larger: N=8: 172768 states, 776864 rules
 */

const
  N: 3;             -- nodes
  BUG: 0;           -- 1: start too late, 2: nobody knows its own name

type
  Node: 0 .. N-1;
  Name: 1 .. N;

var
  name: array [Node] of Name;
  inbox: array [Node] of Name;      -- undefined: empty
  role: array [Node] of enum { ASLEEP, RUNNING, BEATEN, LEADER };

function Next(n: Node): Node;
begin
  return (n + 1) % N;
end;

function CanSend(n: Node): boolean;
begin
  return isundefined(inbox[Next(n)]);
end;

/* How far one can go from node n without meeting a name; N: the ring is empty. */
function Distance(n: Node): 0 .. N;
var
  steps: 0 .. N;
begin
  steps := 0;
  while steps < N & isundefined(inbox[(n + steps) % N]) do
    steps := steps + 1;
  end;
  return steps;
end;

function IsOwn(n: Node; received: Name): boolean;
begin
  return BUG != 2 & received = name[n];
end;

function IsSwallowed(n: Node; received: Name): boolean;
begin
  return received < name[n];
end;

procedure Reset();
begin
  undefine inbox;
  for n := 0 to N-1 do
    role[n] := ASLEEP;
  end;
end;

ruleset step: 1 .. N-1; turn: Node do
  startstate "names dealt out"
  begin
    for n: Node do
      name[n] := (turn + n * step) % N + 1;
    end;
    Reset();
  end;
end;

assume "no name is dealt twice"
  forall i: Node do
    forall j: Node do
      i < j -> name[i] != name[j]
    end
  end;

ruleset n: Node do
  alias mine: role[n]; next: inbox[Next(n)] do
    rule "start"
      mine = ASLEEP & CanSend(n)
    ==>
    begin
      next := name[n];
      mine := RUNNING;
    end;

    alias box: inbox[n] do
      rule "swallow a name"
        !isundefined(box) & IsSwallowed(n, box)
      ==>
      begin
        undefine box;
      end;

      rule "pass a name on"
        !isundefined(box) & !IsOwn(n, box) & !IsSwallowed(n, box) & CanSend(n)
      ==>
      begin
        next := box;
        undefine box;
        if BUG != 1 then
          mine := BEATEN;
        end;
      end;

      rule "get the own name back"
        !isundefined(box) & IsOwn(n, box)
      ==>
      begin
        undefine box;
        mine := LEADER;
        assert "the ring is empty" Distance(n) = N;
      end;
    end;

    rule "call another election"
      mine = LEADER
    ==>
    begin
      Reset();
    end;
  end;
end;

invariant "one leader"
  forall i := 0 to N-2 do
    forall j := i+1 to N-1 do
      !(role[i] = LEADER & role[j] = LEADER)
    end
  end;

invariant "the greatest name leads"
  forall n: Node do role[n] = LEADER -> name[n] = N end;

cover "everybody runs"
  forall n: Node do role[n] = RUNNING | role[n] = BEATEN end;

liveness "somebody may become the leader"
  exists n: Node do role[n] = LEADER end;
