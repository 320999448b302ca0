#define GLUE(a, b) a ## b
init {
	int x;
	x = GLUE(1, +)
}
