/* Two processes take turns; every statement is reached. */
byte turn;

active [2] proctype user() {
    byte rounds;
end:
    do
    :: turn == _pid && rounds < 3 ->
        rounds++;
        turn = 1 - turn
    od
}
