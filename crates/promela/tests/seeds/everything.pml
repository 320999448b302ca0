/* Every construct of the language once, as a start for mutations. */
#ifndef N
#define N 3
#endif
#define ADD(x, y) x = x + \
	y
#define GLUE(a, b) a ## b
#if N > 2 && defined(N)
#define LIMIT (N * 2)
#else
#error too small
#endif
mtype = { one, two three }
mtype:fruit = { apple, pear };
typedef Point { byte x; int y[N]
	bool b }
byte g = 1, h[N] = { 1, 2, 3 }
chan q = [2] of { mtype, byte }
chan r = [0] of { Point };
hidden short hs; local unsigned u : 4 = 2;
show pid who
Point pt;
inline swap(a, b) { tmp = a; a = b; b = tmp }
inline next_of(z) { return z + 1 }
inline twice(s) { s; s }
D_proctype P(byte a, b; chan c) priority 2 provided (g > 0 && nfull(q)) {
	int tmp, i; mtype:fruit f = apple
	xr q; xs r
L1:	do
	:: a < N -> a++; ADD(a, b)
	:: (a == 3) && b != 2 -> break
	:: q?one(a) -> q!two,3
	:: q??[one,eval(b)] -> q??one(_); q?<one,a>; q??<-1,a>
	:: timeout -> goto L1
	:: else -> skip
	od
	swap(a, h[0])
	GLUE(i, ) = next_of(a)
	twice(q!one(1); i--)
	for (i : 0 .. LIMIT-1) { h[i % N] = 0 }
	for (i in h) { h[i]++ }
	select (i : 1 .. 3)
	{ a = 1 } unless { b == 1 }
	atomic { pt.x = 3; pt.y[1] = 2 }
	d_step { i = (a -> 1 : 2); i-- }
	if :: full(q) || empty(q) -> printf("x %d\n", i) :: else fi
	r!pt; r?pt; q!!one(2)
	assert(len(q) <= 2); printm(one)
	set_priority(_pid, 3); i = get_priority(_pid)
end:	run P(1, 2, c) priority 3
M:
}
active [2] proctype Q() { byte x; (x == -1 || ~x & 3 | 2 ^ 1 << 2); x = 'a' }
init { atomic { run P(1, 2, q); run Q() } }
trace { do :: q!one,_ :: q?two,1 od }
never { do :: !(g == 1) :: Q[1]@M -> break :: np_ :: enabled(1) && pc_value(2) > _nr_pr - _last od }
ltl p1 { [] (g == 1 -> <> (h[0] U Q@M)) && (P[0]:a == 2) }
ltl { always (eventually g == 1 implies (u < 3 until g == 2)) weakuntil X (g > 0 <-> g > 1) }
