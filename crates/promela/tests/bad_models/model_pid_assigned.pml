init {
	_pid = 3
}
