active proctype P() {
	do
	:: skip
	:: break
}
