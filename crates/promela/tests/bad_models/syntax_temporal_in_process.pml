byte x;
init {
	assert([] x == 0)
}
