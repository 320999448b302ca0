init {
	byte c = 'ab';
	skip
}
