byte x;
x = 3;
init { skip }
