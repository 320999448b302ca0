/* A process that must wait within `atomic` loses control, and gets it back when it can go on.
 *
 * Expect: default: holds, 10 states
 */
byte x;

active proctype Waits() {
    atomic {
        x = 1;
        x == 2;
        x = 3;
        x = 4
    }
}

active proctype Helps() {
    x == 1;
    x = 2;
    assert(x == 2 || x == 4)
}
