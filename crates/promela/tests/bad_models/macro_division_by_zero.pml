#define N 0
#if 4 / N
#endif
init { skip }
