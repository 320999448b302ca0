typedef T { int x[60000] };
typedef U { T a[10]; T b[60000] };
T y[60000];
U z;
chan c = [20] of { T };
proctype P(T first; T second) {
	int a[65536];
	int b[65536];
	T third[16];
	T last;
	skip
}
init { T t; run P(t, t) }
