byte n;
init {
	byte a[n];
	skip
}
