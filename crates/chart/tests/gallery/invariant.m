-- Two nodes own the line, because an old request is granted.
type Node: scalarset(3);
     State: enum { Idle, Asking, Owner };
var state: array [Node] of State;
    free: boolean;
ruleset n: Node do
  rule "ask" state[n] = Idle ==> state[n] := Asking; end;
  rule "grant" state[n] = Asking ==> state[n] := Owner; free := false; end;
  ruleset m: Node do
    rule "hand over" state[n] = Owner & state[m] = Asking ==> state[n] := Idle; state[m] := Owner; end;
  end;
end;
startstate
  for n: Node do state[n] := Idle; end;
  free := true;
end;
invariant "one owner"
  forall a: Node do forall b: Node do a = b | state[a] != Owner | state[b] != Owner end end;
