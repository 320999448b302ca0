/* A never claim that both moves along and asserts. */
byte x;

active proctype P()
{
	do
	:: x < 3 -> x++
	:: else -> break
	od
}

never watch {
	do
	:: x < 2
	:: x == 2 -> assert(x != 2)
	od
}
