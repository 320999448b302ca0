typedef T { int x[65536] };
T a[8], b[8];
bit c;
active proctype A() { skip }
