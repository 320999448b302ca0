active proctype P() {
busy:	skip
}
never {
	do
	:: P[0]@bussy
	od
}
