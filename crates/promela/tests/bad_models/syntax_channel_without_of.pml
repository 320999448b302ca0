chan q = [2] { byte };
init { skip }
