/* Three processes take turns in a critical section. The last formula tells process 0 from the others. */
#ifndef LIMIT
#define LIMIT 1
#endif
bool locked;
byte inside;
bool seen[3];

active [3] proctype user() {
end:
    do
    :: atomic { !locked -> locked = true };
        inside++;
        seen[_pid] = true;
        assert(inside <= LIMIT);
        inside--;
        locked = false
    od
}

ltl alone { [] (inside <= LIMIT) }
ltl first { [] !(seen[1] && !seen[1]) }
