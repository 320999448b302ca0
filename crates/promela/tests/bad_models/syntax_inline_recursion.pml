inline even(n) { odd(n) }
inline odd(n) { even(n) }
byte x;
init {
	even(x)
}
