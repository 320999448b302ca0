/* Two processes and whose turn it is; declared.sym says what may be exchanged. */
byte turn;

proctype Client(byte id) {
  turn = id
}

init {
  atomic { run Client(1); run Client(2) }
}
