-- Each asks the other over its box and waits for the answer; both can do so at once.
type peer: 0..1;
     message: enum { none, ask, answer };
     place: enum { idle, waits, asked };
var box: array[peer] of message;
    at: array[peer] of place;

startstate begin
  for p: peer do box[p] := none; at[p] := idle; end;
end;

ruleset p: peer do
  rule "asks" at[p] = idle & box[1 - p] = none ==> begin box[1 - p] := ask; at[p] := waits; end;
  rule "gets the answer" at[p] = waits & box[p] = answer ==> begin box[p] := none; at[p] := idle; end;
  rule "is asked" at[p] = idle & box[p] = ask ==> begin box[p] := none; at[p] := asked; end;
  rule "answers" at[p] = asked & box[1 - p] = none ==> begin box[1 - p] := answer; at[p] := idle; end;
end;
