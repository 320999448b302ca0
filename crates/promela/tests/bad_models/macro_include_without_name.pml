#include types
init { skip }
