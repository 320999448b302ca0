#define SQUARE(x) ((x) * (x))
init {
	int y;
	y = SQUARE(3
}
