/* Two philosophers, each with one fork in hand. */
bool taken[2];
active [2] proctype Philosopher() {
  do
  :: atomic { !taken[_pid] -> taken[_pid] = true };
     atomic { !taken[1 - _pid] -> taken[1 - _pid] = true };
     taken[_pid] = false;
     taken[1 - _pid] = false
  od
}
