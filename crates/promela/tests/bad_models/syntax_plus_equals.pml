init {
	byte x;
	x += 2
}
