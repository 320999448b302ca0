inline set(v, n) { v = n }
byte x;
init {
	set(x)
}
