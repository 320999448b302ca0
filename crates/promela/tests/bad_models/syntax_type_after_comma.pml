proctype P(byte a, byte b) { skip }
init { skip }
