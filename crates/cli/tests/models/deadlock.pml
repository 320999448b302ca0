/* Two processes take two locks in opposite order. */
mtype = { taken, free };
mtype left = free;
mtype right = free;

active proctype A() {
    left == free -> left = taken;
    right == free -> right = taken;
    left = free;
    right = free
}

active proctype B() {
    right == free -> right = taken;
    left == free -> left = taken;
    right = free;
    left = free
}
