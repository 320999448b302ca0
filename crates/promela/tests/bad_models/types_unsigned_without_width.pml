unsigned x;
init { x = 1 }
