-- Two counters; invariants that are violated at once, later, at the end and never.
const Most: 150;
type Count: 0..Most;
var a, b: Count;

startstate begin a := 0; b := 0; end;
rule "a" a < Most ==> begin a := a + 1; end;
rule "b" b < Most ==> begin b := b + 1; end;
rule "back" a = Most & b = Most ==> begin a := 0; b := 0; end;

invariant "early" a + b != 1;
invariant "same" a + b < Most;
invariant "same" a <= Most;
cover "met" a = Most & b = 2;
invariant "late" a < Most | b < Most;
cover "missed" a + b > 2 * Most;
