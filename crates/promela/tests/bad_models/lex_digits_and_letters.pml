init {
	byte x;
	x = 3rd
}
