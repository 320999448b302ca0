/* Three that look alike. Each breaks its own assertion with two values, whoever it is, and that about what is shared with two others. */
byte inside;

active [3] proctype Worker() {
    byte turns;
    do
    :: inside++; assert(inside < 2); inside--;
       turns = (turns + 1) % 3; assert(turns == 0)
    od
}
