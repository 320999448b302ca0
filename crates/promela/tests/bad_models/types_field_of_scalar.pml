byte p;
init {
	p.x = 1
}
