typedef T { int x[60000] };
active [50] proctype A(T t) { skip }
