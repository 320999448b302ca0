byte mask = 0xFF;
init { skip }
