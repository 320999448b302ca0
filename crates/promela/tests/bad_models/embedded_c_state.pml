c_state "int counter" "Global"
init { skip }
