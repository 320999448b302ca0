/* Three processes that look alike, but lower numbers come first. */
byte inside;

active [3] proctype user() {
end:
    do
    :: inside + _pid < 4 ->
        inside++;
        inside--
    od
}
