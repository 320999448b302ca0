byte x;
init {
	x = 1;
	c_code { now.x = 2; /* "C" */ '\0'; };
	assert(x == 2)
}
