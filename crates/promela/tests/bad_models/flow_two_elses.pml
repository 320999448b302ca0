byte x;
init {
	if
	:: x == 1 -> skip
	:: else -> skip
	:: else -> x = 2
	fi
}
