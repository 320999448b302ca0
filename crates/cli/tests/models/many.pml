/* Both the safety and a claim are violated. */
byte x;

active proctype P() {
    x = 1;
    assert(x == 0);
    x = 2
}

ltl never_two { [] (x != 2) }
