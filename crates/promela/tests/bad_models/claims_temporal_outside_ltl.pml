bool p;
active proctype P() {
	([] p)
}
