Pair p;
init { skip }
