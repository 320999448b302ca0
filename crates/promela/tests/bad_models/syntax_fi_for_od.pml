init {
	byte x;
	do
	:: x < 3 -> x++
	:: else -> break
	fi
}
