/* A declaration within a block is a step.
 *
 * Only what is declared at the head of a process is there from its start without a step of its
 * own. Everywhere else a declaration assigns the first value, 0 if none is given.
 *
 * Expect: default: holds, 5 states
 */
active proctype P() {
    byte at_the_head = 1;
    {
        byte in_a_block = 2;
        byte without_value;
        in_a_block++
    }
}
