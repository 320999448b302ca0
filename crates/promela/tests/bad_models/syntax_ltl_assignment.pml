byte x;
ltl p { [] x = 0 }
init { x = 0 }
