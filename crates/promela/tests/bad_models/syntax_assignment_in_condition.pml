init {
	byte x;
	if
	:: (x = 1) -> skip
	:: else
	fi
}
