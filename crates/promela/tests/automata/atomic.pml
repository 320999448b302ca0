/* Ways into, through and out of atomic sequences and d_steps. */
byte s;
bool ba[2];
chan q = [2] of { byte };

init {
	atomic {
		s = 1;
		if
		:: s == 1 -> s = 2
		:: s == 3 -> goto L
		:: else -> s = 4
		fi
	}
L:	do
	:: s = 2; break
	:: atomic { s = 3; if :: break :: skip fi; s = 5 }
	od;
	s = 7;
	d_step { s == 4 -> s = 5; do :: s > 3 -> s-- :: else -> break od; ba[0] = 2 }
	d_step { if :: q?s -> s = 2 :: s == 7 fi }
	atomic { atomic { s = 1 }; d_step { s = 3; s = 4 } };
	atomic { q!1; do :: q?s -> break :: else -> skip od };
end1:	if
	:: s = 1
	:: s = 2; skip; skip; s = 3
	fi
}
