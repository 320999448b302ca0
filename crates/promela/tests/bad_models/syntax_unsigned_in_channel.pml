chan q = [2] of { unsigned };
init { skip }
