byte x;
int x;
init { skip }
