/* A branch that is never taken. */
byte x;

active proctype P() {
    x = 1;
    if
    :: x == 1 -> skip
    :: x == 2 -> x = 3; x = 4
    fi
}
