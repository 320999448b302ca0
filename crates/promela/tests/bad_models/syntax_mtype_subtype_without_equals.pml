mtype:colour { red, green };
init { skip }
