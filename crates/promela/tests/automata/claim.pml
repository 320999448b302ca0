/* A claim, and a proctype that a claim refers to by a label on a jump. */
byte x;

active proctype P() {
	do
	:: x = 1 - x
	:: break
	od;
mark:	goto there;
	x = 3;
there:	x = 4
}

never {
	do
	:: x == 3 -> break
	:: P[0]@mark -> goto accept_it
	:: else
	od;
	skip;
accept_it:
	do
	:: x != 4
	od
}
