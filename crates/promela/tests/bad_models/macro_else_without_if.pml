init { skip }
#else
