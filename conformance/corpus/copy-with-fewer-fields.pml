/* A receive that copies may name fewer fields than a message has.
 *
 * Expect: default: holds, 6 states
 */
chan q = [1] of { byte, short };
byte x;

active proctype P() {
    q!1, 2;
    q?<x>;
    assert(x == 1 && len(q) == 1);
    skip
}
