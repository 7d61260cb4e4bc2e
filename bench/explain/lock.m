-- A lock that looks, then takes: two processes can do so at the same time.
type proc: 0..1;
     place: enum { idle, free_seen, critical };
var busy: boolean;
    at: array[proc] of place;

startstate begin
  busy := false;
  for p: proc do at[p] := idle; end;
end;

ruleset p: proc do
  rule "looks" at[p] = idle & !busy ==> begin at[p] := free_seen; end;
  rule "takes" at[p] = free_seen ==> begin busy := true; at[p] := critical; end;
  rule "leaves" at[p] = critical ==> begin busy := false; at[p] := idle; end;
end;

invariant "one is inside" at[0] != critical | at[1] != critical;
