/* Declarations behind statements, counting loops, select in its three forms. */
typedef T { byte a; byte b[2] };
byte g[3];
chan c = [2] of { T };

inline pick(z) { select(z : 1 .. 3) }

init {
	byte p; p = 1; byte q; int r[3]; T t; short s = 4;
	{ byte z; z++ }
	if :: byte w; w = 2 :: else fi;
	for (p : 1 .. 3) { byte k; k++ }
	for (p in g) { g[p] = p; if :: p == 1 -> break :: else fi }
	for (t in c) { q = t.a }
	select(q : 1 .. 4);
	select(q : p .. 4);
	select(q : 1 .. 40);
	pick(q);
L:	select(q : 0 .. 1);
	goto L
}
