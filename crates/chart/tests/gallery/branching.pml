/* ctl: AG EF (level == 0)
 * Who has gone down cannot come back. */
byte level;
active proctype Diver() {
  do
  :: level == 0 -> level = 1
  :: level == 1 -> level = 0
  :: level == 1 -> level = 2
  :: level == 2 -> level = 3
  :: level == 3 -> level = 2
  od
}
