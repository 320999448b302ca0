typedef T { byte a };
chan q = [2] of { T };
never { T m; for (m in q) { skip } }
active proctype A() { skip }
