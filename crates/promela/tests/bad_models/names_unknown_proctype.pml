proctype Worker() { skip }
init {
	run Wroker()
}
