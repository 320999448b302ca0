init {
	byte x;
	(x == 1 && (x < 3);
	skip
}
