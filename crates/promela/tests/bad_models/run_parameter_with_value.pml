proctype P(byte a = 3) { skip }
init { run P(1) }
