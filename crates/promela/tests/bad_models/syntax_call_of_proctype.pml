proctype P(byte a) { skip }
init {
	P(3)
}
