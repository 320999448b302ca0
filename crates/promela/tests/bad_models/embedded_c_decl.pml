c_decl { typedef struct { int x; } Pair; };
init { skip }
