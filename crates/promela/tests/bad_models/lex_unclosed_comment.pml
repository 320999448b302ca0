init { skip }
/* the rest is gone
