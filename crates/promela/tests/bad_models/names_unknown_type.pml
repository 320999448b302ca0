init {
	byte x;
	x = 1
}
chan q = [1] of { byte, Thing };
