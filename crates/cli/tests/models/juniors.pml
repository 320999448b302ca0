/* Three processes that look alike, but only two of them ever go in. */
byte inside;

active [3] proctype user() {
end:
    do
    :: _pid < 2 ->
        inside++;
        inside--
    od
}
