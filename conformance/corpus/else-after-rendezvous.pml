/* A rendezvous that takes place keeps `else` away, as any other step does.
 *
 * The receiver waits, so the sender never takes the branch that would leave it waiting for ever.
 *
 * Expect: default: holds, 4 states
 */
chan meet = [0] of { byte };

active proctype Receiver() {
    meet?0
}

active proctype Sender() {
    if
    :: meet!0
    :: else
    fi
}
