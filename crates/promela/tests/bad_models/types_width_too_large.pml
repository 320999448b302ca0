unsigned x : 40;
init { x = 1 }
