/* The server may always serve the other one. */
bool asked, served;
byte turns;
active proctype Client() {
  do
  :: asked = true; served; served = false; asked = false
  od
}
active proctype Idler() {
  do
  :: turns = 1 - turns
  od
}
active proctype Server() {
  do
  :: asked && !served -> served = true
  od
}
ltl answered { [] (asked -> <> served) }
