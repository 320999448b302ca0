/* A reply goes to a channel that is gone: its owner has not waited. */
chan service = [2] of { byte, chan };
proctype Client(byte urgency) {
  chan reply = [1] of { byte };
  service!!urgency,reply;
  if
  :: reply?_
  :: true
  fi
}
init {
  chan to; byte urgency;
  run Client(2);
  run Client(1);
  service??2,to;
  to!0;
  service?urgency,to;
  to!urgency
}
