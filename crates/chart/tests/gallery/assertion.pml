/* A counter that does not fit, and a lock that is none. */
byte count = 254, inside;
bool locked;
active [2] proctype Worker() {
  !locked;
  locked = true;
  inside++;
  count = count + 2;
  assert(inside == 1);
  inside--;
  locked = false
}
