-- Nodes take a number each. BUG chooses what goes wrong.
const BUG: 0;
type Node: scalarset(3);
     Place: 5..8;
     State: enum { Idle, Busy };
var  node: array [Node] of record state: State; at: Place; friend: Node; end;
     taken: array [State] of array [Place] of 0..3;
     next: Place;

startstate "all idle"
  for n: Node do node[n].state := Idle; end;
  for s: State do for p: Place do taken[s][p] := 0; end; end;
  next := 5;
end;

ruleset n: Node do
  rule "take" node[n].state = Idle & next < 8 ==>
    node[n].state := Busy;
    node[n].at := next;
    taken[Busy][next] := taken[Busy][next] + 1;
    next := next + 1;
  end;
  rule "give back" node[n].state = Busy ==>
    taken[Busy][node[n].at] := taken[Busy][node[n].at] - 1;
    undefine node[n].at;
    node[n].state := Idle;
    next := 5;
  end;
  rule "too high" BUG = 1 & next = 7 ==> next := next + 3; end;
  rule "too low" BUG = 2 & next = 5 ==> next := next - 1; end;
  rule "lower" BUG = 3 & next = 5 ==> next := next - 2; end;
  rule "outside" BUG = 4 & next = 7 ==> taken[Idle][next + 2] := 1; end;
  rule "below" BUG = 5 & next = 7 ==> taken[Idle][next - 3] := 1; end;
  rule "friendless" BUG = 6 & node[n].state = Busy ==> node[node[n].friend].state := Busy; end;
  rule "local" BUG = 7 ==> var m: Node; begin node[m].state := Idle; end;
  rule "endless" BUG = 8 ==> while true do next := 5; end; end;
end;

invariant "at most two" BUG != 9 | forall n: Node do node[n].state = Idle | node[n].at < 7 end;
invariant "friends" BUG != 10 | forall n: Node do !isundefined(node[n].at) -> node[n].friend != n end;
