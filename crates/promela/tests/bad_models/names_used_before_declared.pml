init {
	x = 1
}
byte x;
