active proctype P() {
	byte x;
	x = 1
}
ltl p { [] (P[0]:y < 3) }
