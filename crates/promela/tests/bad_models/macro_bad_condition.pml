#if 1 +
#endif
init { skip }
