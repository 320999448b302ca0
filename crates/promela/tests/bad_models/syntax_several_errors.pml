byte 3x;
proctype P(byte a {
	skip
}
init {
	byte x;
	x = ;
	if
	:: x == -> skip
	:: else
	fi;
	goto
}
