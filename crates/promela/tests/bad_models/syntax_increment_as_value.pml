init {
	byte x, y;
	y = x++
}
