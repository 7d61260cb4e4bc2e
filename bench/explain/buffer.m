-- A ring of three places whose writer does not look whether it is full, and forgets to wrap.
type byte: 0..255;
var ring: array[0..2] of 0..1;
    head, tail: byte;

startstate begin
  head := 0; tail := 0;
  for i: 0..2 do ring[i] := 0; end;
end;

rule "writes" head < tail + 3 ==> begin ring[head] := 1; head := head + 1; end;
rule "reads" tail < head ==> begin ring[tail] := 0; tail := tail + 1; end;
