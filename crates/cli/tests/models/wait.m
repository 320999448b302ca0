-- A counter that stops. AGAIN=1: the last rule leads back to the same state.
const AGAIN: 0;
var x: 0..2;
startstate x := 0; end;
rule "on" x < 2 ==> x := x + 1; end;
rule "stay" AGAIN = 1 & x = 2 ==> x := 2; end;
