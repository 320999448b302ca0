/* A token goes round among those that have joined; BUG says what goes wrong. */
#define BUG 0
process count = 3;
global pointer owner;
local pointer next;
local discrete turns: 0..2;

mode out true {
  when owner == NULL may owner = P; next = P; goto in;
  when owner != NULL may next = owner->next; owner->next = P; goto in;
}
mode in true {
  when owner == P and turns < 2 may turns = turns + 1; owner = next;
  when BUG == 1 and owner != P may next = NULL; owner->next->next->turns = 1;
  when BUG == 2 and owner == P may turns = turns + 1;
  when BUG == 3 and owner == P may owner = NULL; goto out;
}
initially forall i: out[i] and owner == NULL;
risk owner == NULL and exists i: in[i];
