/* A value is handed over, and is not the one that is expected. */
chan meet = [0] of { byte, bool };

active proctype sender() {
    meet!7,true
}

active proctype receiver() {
    byte got;
    bool sure;
    meet?got,sure;
    printf("got %d\n", got);
    assert(got == 8 || !sure)
}
