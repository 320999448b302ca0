byte x;
init {
	do
	:: c_expr { now.x < 3 } -> x++
	:: else -> break
	od
}
