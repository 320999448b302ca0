byte x;
init {
	do
	:: d_step {
		x = 1;
		if
		:: x == 1 -> x = 2
		:: else
		fi;
		break
	   }
	   x = 3
	od
}
