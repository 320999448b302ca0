/* Nothing is wrong with a server that waits when its clients have ended. */
chan request = [1] of { byte };
active proctype Server() {
  byte who;
  do
  :: request?who
  od
}
active [2] proctype Client() {
  request!_pid
}
