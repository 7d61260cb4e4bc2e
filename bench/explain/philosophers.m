-- Each takes the fork on the left, then the one on the right.
const N: 3;
type phil: 0..N-1;
     place: enum { thinks, has_one, eats };
var fork: array[phil] of boolean;
    at: array[phil] of place;

startstate begin
  for p: phil do fork[p] := false; at[p] := thinks; end;
end;

ruleset p: phil do
  rule "takes left" at[p] = thinks & !fork[p] ==> begin fork[p] := true; at[p] := has_one; end;
  rule "takes right" at[p] = has_one & !fork[(p + 1) % N] ==> begin fork[(p + 1) % N] := true; at[p] := eats; end;
  rule "lets go" at[p] = eats ==> begin fork[p] := false; fork[(p + 1) % N] := false; at[p] := thinks; end;
end;
