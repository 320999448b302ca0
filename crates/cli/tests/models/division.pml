/* A division by zero. */
byte zero;
byte result;

active proctype P() {
    zero = 0;
    result = 7 / zero
}
