/* Three workers that are alike; the run is one of the model, not of the representatives. */
chan work = [2] of { pid };
byte owner = 255;
active [3] proctype Worker() {
  pid who;
  do
  :: work!_pid
  :: work?who -> owner = who; assert(owner != _pid)
  od
}
