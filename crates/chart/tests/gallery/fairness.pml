/* fair: weak
 * A fair run all the same: the door is never open when the slow one looks. */
bool open, inside;
active proctype Fast() {
  do
  :: open = true; open = false
  od
}
active proctype Slow() {
  do
  :: atomic { open -> inside = true }
  od
}
ltl gets_in { <> inside }
