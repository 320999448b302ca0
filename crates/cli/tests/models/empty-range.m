-- The first time there is nothing to clear: CMurphi clears nothing, Rumur counts down to an index that is not there.
var n: 0..2; a: array [0..2] of boolean;
startstate begin n := 0; for i: 0..2 do a[i] := false; end; end;
rule "clear"
  for i := 0 to n - 1 do a[i] := true; end;
  n := (n + 1) % 3;
end;
