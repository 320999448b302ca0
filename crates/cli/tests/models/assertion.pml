/* Two processes enter together: the assertion fails. */
#ifndef LIMIT
#define LIMIT 1
#endif
byte inside;

active [2] proctype user() {
    inside++;
    assert(inside <= LIMIT);
    inside--
}
