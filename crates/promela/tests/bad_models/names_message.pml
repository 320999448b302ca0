mtype = { req };
chan c = [1] of { mtype };
active proctype Client() {
  c!req;
  c?ack
}
