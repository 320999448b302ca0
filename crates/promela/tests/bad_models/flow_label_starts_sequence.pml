byte x;
inline again() {
in_inline: x = 1;
	x = 2
}
active proctype A() {
	atomic { in_atomic: x == 3; x = 4 };
	d_step { in_d_step: x == 3; x = 4 };
	{ in_block: x == 3; x = 4 };
	again();
in_main: x == 1 unless x == 7;
	x == 1 unless in_escape: x == 7;
	if
	:: in_option: x == 3 -> x = 4
	:: else
	fi;
	{
first_is_loop:	do
		:: x == 3 -> break
		od
	}
}
