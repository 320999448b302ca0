chan q = [2] of { byte };

active [2] proctype P() {
    do
    :: q ! _pid
    :: q ? [_pid] -> skip
    od
}
