init {
	byte a;
	int a;
	skip
}
