byte a;
init {
	a[1] = 1
}
