#if 1
init { skip }
