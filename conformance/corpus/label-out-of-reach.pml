/* A label that no process can come to is a label all the same.
 *
 * Expect: default: holds, 7 states
 */
active proctype P() {
    goto last;
    never_here:
    skip;
    last:
    skip
}

active proctype Observer() {
    assert(!P[0]@never_here)
}
