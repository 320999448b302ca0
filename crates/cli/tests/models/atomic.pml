/* The assertion fails inside an atomic sequence, after steps that no other process sees. */
byte a, b;

active [2] proctype P() {
    atomic {
        a++;
        b = b + a;
        assert(b < 3)
    }
}
