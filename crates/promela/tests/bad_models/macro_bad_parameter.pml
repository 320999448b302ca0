#define F(a, 2) a
init { skip }
