byte x;
init {
	bump(x)
}
inline bump(v) { v++ }
