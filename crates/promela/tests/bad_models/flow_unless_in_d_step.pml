byte x;
init {
	d_step { { x = 1 } unless { x == 2 } }
}
