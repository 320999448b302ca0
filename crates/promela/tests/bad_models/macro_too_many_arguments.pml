#define MAX(a, b) (a > b -> a : b)
init {
	int x;
	x = MAX(1, 2, 3)
}
