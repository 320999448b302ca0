/* Processes end in the opposite order of their creation, each with a step.
 *
 * Expect: default: holds, 7 states
 */
active [2] proctype P() {
    skip
}
