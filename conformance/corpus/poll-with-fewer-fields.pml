/* A poll may name fewer fields than a message has: the others may be anything.
 *
 * Expect: default: holds, 7 states
 */
chan q = [2] of { byte, short };
byte seen;

active proctype P() {
    q!1, 2;
    if
    :: q?[1] -> seen = 1
    :: q?[1, 2] -> seen = 1
    :: q?[1, 3] -> seen = 2
    fi;
    assert(seen == 1)
}
