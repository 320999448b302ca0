init {
	int i;
	for (i = 0; i < 3; i++) { skip }
}
