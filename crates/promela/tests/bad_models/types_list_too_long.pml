byte a[2] = { 1, 2, 3 };
init { skip }
