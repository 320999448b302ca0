mtype = { ping, pong };
chan c = [1] of { mtype };
byte x, y, a[3];
active [2] proctype P() {
  do
  :: x < 3 -> x++; assert(x != 2)
  :: c!ping
  :: y < 4 -> y++; assert(y < 4)
  od
}
active proctype Q() {
  do
  :: c?pong
  :: c?ping -> if :: x > 1 -> a[x+1] = 1; :: y > 2 -> assert(x == 0); goto stop :: else fi
  od;
  stop: c?pong
}
