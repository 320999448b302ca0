active [200] proctype A() { skip }
active [50] proctype B() { skip }
active [10] proctype C() { skip }
