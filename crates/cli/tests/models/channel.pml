/* A long channel of wide messages. */
chan q = [200] of { byte, byte, byte };

active proctype P()
{
	byte n;
	do
	:: n < 150 -> q!1,2,3; n++
	:: else -> break
	od;
	q?_,_,_;
	assert(len(q) == 0)
}
