byte q = [1] of { byte };
init { skip }
