active proctype P() provided (true) priority 2 { skip }
