byte x;
init {
	d_step { x = 1; goto out; x = 2 };
	x = 3;
out:	skip
}
