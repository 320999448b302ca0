/* A counter with 2^32 values: no search ends soon. */
int n;

active proctype counter() {
    do
    :: n++
    od
}
