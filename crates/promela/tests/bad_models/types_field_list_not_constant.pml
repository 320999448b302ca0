byte n = 3;
typedef T { byte a[2] = { 1, n } };
T t;
active proctype A() { skip }
