init {
	break
}
