/* Three processes that look alike, but lower numbers come first. */
byte inside;

active [3] proctype user() {
end:
    do
    :: _pid < 2 ->
        inside++;
        inside--
    od
}
