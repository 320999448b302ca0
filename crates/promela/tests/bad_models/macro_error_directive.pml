#ifndef N
#error N must be defined with -D N=3
#endif
init { skip }
