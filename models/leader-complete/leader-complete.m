/* Leader election by votes where all are connected to all, in Murphi.
 *
 * Anybody may stand and then votes for itself; everybody else gives its one vote
 * to one candidate. A vote travels before it is counted, and a candidate with more
 * than half of the votes leads. A node may restart: it keeps what is on its disk,
 * its own vote, and forgets the rest. When all have voted and all votes have
 * arrived, a new term may begin. This is how one term of Raft elects (Ongaro and
 * Ousterhout 2014), without the log.
 * A scalarset for the nodes, with names as values and as both indices of a table:
 * N! symmetries.
 * Checked: at most one leader in a term.
 * BUG=1 keeps the vote in memory only, so that a node may vote again. BUG=2 does
 * not let a new term begin after a draw: nothing can happen any more.
 *
 * Parameters: N (default 3): number of nodes
 * Parameters: BUG (default 0): 1 forgets votes, 2 gets stuck after a draw
 * Expect: N=2: holds, 19 states
 * Expect: N=3: holds, 150 states
 * Expect: N=4: holds, 1109 states
 * Expect: N=5: holds, 11288 states
 * Expect: N=6: holds, 118479 states
 * Expect: N=2, symmetry: holds, 11 states
 * Expect: N=3, symmetry: holds, 33 states
 * Expect: N=4, symmetry: holds, 80 states
 * Expect: N=5, symmetry: holds, 204 states
 * Expect: N=6, symmetry: holds, 462 states
 * Expect: N=3 BUG=1: violated, assertion
 * Expect: N=3 BUG=2: violated, deadlock
 * Rules: N=2: 34
 * Rules: N=3: 338
 * Rules: N=4: 3088
 * Rules: N=5: 37802
 * Rules: N=6: 473416
 * Rules: N=2, symmetry: 20
 * Rules: N=3, symmetry: 77
 * Rules: N=4, symmetry: 232
 * Rules: N=5, symmetry: 714
 * Rules: N=6, symmetry: 1928
 * Larger: N=7: 1468946 states, 6783324 rules
 * Not known: N=7 with symmetry; Rumur does not finish within two minutes.
 */

const
  N: 3;             -- nodes
  BUG: 0;           -- 1: a restart forgets the vote, 2: no new term after a draw

type
  Node: scalarset(N);
  Role: enum { FOLLOWER, CANDIDATE, LEADER };
  Ballot: record
    choice: Node;         -- undefined: has not voted
    travels: boolean;     -- the vote is on its way
  end;

var
  role: array [Node] of Role;
  ballot: array [Node] of Ballot;
  heard: array [Node] of array [Node] of boolean;   -- heard[c][v]: c has the vote of v

function Count(c: Node): 0 .. N;
var
  votes: 0 .. N;
begin
  votes := 0;
  for v: Node do
    if heard[c][v] then
      votes := votes + 1;
    end;
  end;
  return votes;
end;

function TermIsOver(): boolean;
begin
  return forall v: Node do
           !isundefined(ballot[v].choice) & !ballot[v].travels
         end;
end;

function HasLeader(): boolean;
begin
  return exists c: Node do role[c] = LEADER end;
end;

procedure Vote(var b: Ballot; c: Node; travels: boolean);
begin
  b.choice := c;
  b.travels := travels;
end;

procedure Forget(c: Node);
begin
  role[c] := FOLLOWER;
  for v: Node do
    heard[c][v] := false;
  end;
end;

procedure NewTerm();
begin
  for n: Node do
    Forget(n);
    undefine ballot[n];
    ballot[n].travels := false;
  end;
end;

startstate "first term"
begin
  NewTerm();
end;

ruleset c: Node do
  rule "stand"
    role[c] = FOLLOWER & isundefined(ballot[c].choice)
  ==>
  begin
    role[c] := CANDIDATE;
    heard[c][c] := true;
    Vote(ballot[c], c, false);
  end;

  rule "win"
    role[c] = CANDIDATE & 2 * Count(c) > N
  ==>
  begin
    role[c] := LEADER;
  end;

  rule "restart"
    role[c] = CANDIDATE | BUG = 1 & role[c] = FOLLOWER & !ballot[c].travels
  ==>
  begin
    Forget(c);
    if BUG = 1 then
      undefine ballot[c].choice;
    end;
  end;
end;

ruleset v: Node; c: Node do
  rule "vote for another"
    v != c & role[c] = CANDIDATE & isundefined(ballot[v].choice)
  ==>
  begin
    Vote(ballot[v], c, true);
  end;
end;

ruleset v: Node do
  alias b: ballot[v] do
    rule "a vote arrives"
      b.travels
    ==>
    begin
      b.travels := false;
      if role[b.choice] != FOLLOWER then
        heard[b.choice][v] := true;
      end;
    end;
  end;
end;

rule "new term"
  TermIsOver() & (BUG != 2 | HasLeader())
==>
begin
  NewTerm();
end;

invariant "one leader"
  forall a: Node do
    forall b: Node do
      a = b | role[a] != LEADER | role[b] != LEADER
    end
  end;

invariant "a vote counts once"
  BUG = 1 | forall v: Node do
    forall c: Node do
      heard[c][v] -> ballot[v].choice = c
    end
  end;

cover "everybody stands"
  forall c: Node do role[c] = CANDIDATE end;

liveness "there may be a leader"
  HasLeader();
