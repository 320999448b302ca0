never { _priority = 3 }
active proctype A() { skip }
