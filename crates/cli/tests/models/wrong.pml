byte x;
byte x;

active proctype P() {
    y = 1;
    z++
}
