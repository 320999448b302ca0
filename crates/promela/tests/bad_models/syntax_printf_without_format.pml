init {
	byte x;
	printf(x)
}
