active proctype P() {
	atomic {
		skip
}

active proctype Q() {
	skip
}
