byte x;
proctype B() { skip }
inline start() { return run B() }
never { x = start() }
active proctype A() { skip }
