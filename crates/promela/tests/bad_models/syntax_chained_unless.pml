byte x;
init {
	{ skip } unless { x == 1 } unless { x == 2 }
}
