bool p;
active proctype P() { skip }
ltl a { [] p }
ltl a { <> p }
