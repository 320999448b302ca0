init {
	goto 3
}
