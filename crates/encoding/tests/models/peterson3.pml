/* Peterson's algorithm for three processes; the wait looks at all others in one step. */
byte flag[4];
pid turn[3];
byte critical;

active [3] proctype user() {
  byte level; bool free;
  do
  :: level = 1;
     do
     :: level < 3 ->
        flag[_pid] = level;
        turn[level] = _pid;
again:  atomic {
          free = (_pid == 0 || flag[0] < level) && (_pid == 1 || flag[1] < level) && (_pid == 2 || flag[2] < level);
          if
          :: free || turn[level] != _pid
          :: else -> goto again
          fi
        };
        level++
     :: else -> break
     od;
     atomic { critical++; assert(critical == 1) };
     critical--;
     flag[_pid] = 0
  od
}
