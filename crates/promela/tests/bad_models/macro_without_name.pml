#define 3 4
init { skip }
