byte x, y;
init {
	for (x in y) { skip }
}
