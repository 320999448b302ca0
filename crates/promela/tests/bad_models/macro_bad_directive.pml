# define X 1
#`a
#"b"
#+
active proctype A() { skip }
