chan q = [1] of { byte, byte };
init {
	byte x;
	q?x
}
