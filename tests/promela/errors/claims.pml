/* What claims and traces cannot do. */
chan q = [1] of { byte };
byte x;
never { q!1 }
trace { x = 1 }
trace { q!1 }
init { skip }
init { skip }
