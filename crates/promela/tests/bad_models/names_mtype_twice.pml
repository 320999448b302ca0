mtype = { red, green };
mtype = { red };
init { skip }
