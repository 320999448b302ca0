chan q = [2] of { byte };

active [2] proctype P() {
    do
    :: q ! _pid
    :: q ? [_pid] -> skip
    :: q ? _pid
    :: q ? <_pid>
    :: q ?? _last
    :: q ? eval(_pid)
    od
}
