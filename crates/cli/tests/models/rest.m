-- Interchangeable processes that work and rest. LOST=1: when all work, one of them may stay for ever.
const LOST: 0;
type Who: scalarset(3);
var  step: array [Who] of 0..2; working: 0..3;
startstate for w: Who do step[w] := 0; end; working := 0; end;
ruleset w: Who do
  rule "work" step[w] = 0 ==> step[w] := 1; working := working + 1; end;
  rule "rest" step[w] = 1 ==> step[w] := 0; working := working - 1; end;
  rule "stay" LOST = 1 & step[w] = 1 & working = 3 ==> step[w] := 2; end;
end;
liveness "all rest" working = 0;
liveness "somebody works" working > 0;
