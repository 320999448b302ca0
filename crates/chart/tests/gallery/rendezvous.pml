/* Who asks twice is answered with an old number. */
mtype = { ask, answer };
chan line = [0] of { mtype, byte };
proctype Server() {
  byte next = 1;
  do
  :: line?ask(_) -> line!answer(next); if :: next++ :: skip fi
  od
}
init {
  byte first, second;
  run Server();
  line!ask(0); line?answer(first);
  line!ask(0); line?answer(second);
  assert(first < second)
}
