mtype = { red };
init {
	red = 2
}
