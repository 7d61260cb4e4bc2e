-- Two processes add one to a counter, each by way of a copy.
type proc: 0..1;
     place: enum { begins, has_copy, ended };
var n: 0..3;
    copy: array[proc] of 0..3;
    at: array[proc] of place;

startstate begin
  n := 0;
  for p: proc do copy[p] := 0; at[p] := begins; end;
end;

ruleset p: proc do
  rule "copies" at[p] = begins ==> begin copy[p] := n; at[p] := has_copy; end;
  rule "adds" at[p] = has_copy ==> begin n := copy[p] + 1; at[p] := ended; end;
end;
rule "ended" at[0] = ended & at[1] = ended ==> begin end;

invariant "both were added" at[0] != ended | at[1] != ended | n = 2;
