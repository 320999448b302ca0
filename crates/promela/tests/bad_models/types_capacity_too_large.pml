chan q = [300] of { byte };
init { skip }
