init {
start:	byte x;
	x = 1
}
