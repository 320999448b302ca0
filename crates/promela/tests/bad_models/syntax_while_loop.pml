init {
	byte x;
	while (x < 3) {
		x++
	}
}
