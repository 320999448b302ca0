init {
	if
	::
	:: else
	fi
}
