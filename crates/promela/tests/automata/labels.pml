/* Labels on guards, heads, jumps and joins; nested selections; else inside. */
byte x;

proctype P() {
end0:	do
	:: x == 1 -> progress1: x = 2
	:: x == 2; accept2: if :: x = 3 :: x = 4 fi
	:: if :: x == 5 -> x = 6 :: else -> goto end5 fi
	:: do :: x == 7 -> break :: x > 9 -> x-- od
	od;
end5:	goto end0
}

proctype Q() provided (x < 9) {
	{ { x = 1; { x = 2 } } ; x = 3 };
progress:	goto out;
	x = 4;
out:	skip
}

init { run P(); run Q(); (x == 0 && P[1]@end0) -> Q[2]@progress }
