-- Two processes; one is chosen at the start and goes up and down for ever, the other stays.
-- ROUND=1: the choice changes, so that everybody moves now and then. TRAP=1: there is a way out of all this.
const ROUND: 0; TRAP: 0;
type Who: scalarset(2);
var level: array [Who] of 0..2; trapped: boolean;

ruleset chosen: Who do
  startstate "choose"
    for w: Who do level[w] := 1; end;
    level[chosen] := 0; trapped := false;
  end;
end;

ruleset w: Who do
  rule "up" !trapped & level[w] = 0 ==> level[w] := 2; end;
  rule "down" level[w] = 2 ==> level[w] := 0; end;
  rule "change" ROUND = 1 & level[w] = 2 ==>
    for v: Who do level[v] := (level[v] = 1 ? 0 : 1); end;
  end;
  rule "trap" TRAP = 1 & level[w] = 0 ==> trapped := true; end;
  rule "idle" trapped ==> level[w] := (level[w] = 1 ? 0 : 1); end;
end;

ruleset w: Who do
  liveness "everybody moves" level[w] != 1;
end;
liveness "up" exists w: Who do level[w] = 2 end;
