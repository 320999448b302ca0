/* The two messages of a loop are sent in one atomic sequence, and the second one is received first. */
chan data = [3] of { byte };
chan done = [1] of { bool };
byte sum;
active proctype Sender() {
  byte i;
  atomic { for (i : 1 .. 3) { data!i } };
  done!true
}
active proctype Receiver() {
  byte x; bool end;
  data??2;
  data?<x>;
  data?x;
  done?end;
  sum = sum + x;
  assert(empty(data))
}
