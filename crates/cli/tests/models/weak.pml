/* A weak until that holds, and one that does not: both are decided at some moment. */
bool p, q;

active proctype P()
{
	p = true;
	q = true
}

ltl before { !q W p }
ltl wrong { !p W q }
