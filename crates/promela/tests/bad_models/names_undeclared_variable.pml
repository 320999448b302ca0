byte count;
init {
	coutn = 1
}
