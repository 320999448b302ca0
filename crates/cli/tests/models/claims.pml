/* A safety formula that holds, one that fails, and one about liveness. */
byte x;

active proctype P() {
    do
    :: x < 3 -> x++
    :: x > 0 -> x--
    od
}

ltl bounded { [] (x <= 3) }
ltl small { [] (x <= 2) }
ltl returns { [] (<> (x == 0)) }
