init {
	if
	fi
}
