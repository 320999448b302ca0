/* Readers and writers in one queue.
 *
 * Whoever wants to come in joins the queue. The first one comes in if it is a
 * reader and there is no writer inside, or if it is a writer and nobody is inside;
 * all others have to wait until it does. A client is a reader or a writer: a
 * union of two scalarsets, whose members the queue holds and the array is
 * indexed by. R! * W! symmetries: readers and writers cannot be exchanged with each
 * other.
 * Checked: a writer inside is alone, and nobody is in the queue twice.
 * BUG=1 lets a writer in although there are readers.
 *
 * Parameters: R (default 2): number of readers
 * Parameters: W (default 2): number of writers
 * Parameters: BUG (default 0): 1 forgets the readers
 * Expect: R=2 W=1: holds, 33 states
 * Expect: R=3 W=1: holds, 146 states
 * Expect: R=4 W=1: holds, 769 states
 * Expect: R=2 W=2: holds, 134 states
 * Expect: R=3 W=2: holds, 704 states
 * Expect: R=2 W=1, symmetry: holds, 19 states
 * Expect: R=3 W=1, symmetry: holds, 34 states
 * Expect: R=4 W=1, symmetry: holds, 55 states
 * Expect: R=2 W=2, symmetry: holds, 40 states
 * Expect: R=3 W=2, symmetry: holds, 79 states
 * Expect: R=2 W=1 BUG=1: violated, assertion
 * Expect: R=2 W=2 BUG=1: violated, assertion
 * Expect: R=3 W=2 BUG=1: violated, assertion
 * Rules: R=2 W=1: 66
 * Rules: R=3 W=1: 337
 * Rules: R=4 W=1: 1922
 * Rules: R=2 W=2: 276
 * Rules: R=3 W=2: 1566
 * Rules: R=2 W=1, symmetry: 40
 * Rules: R=3 W=1, symmetry: 90
 * Rules: R=4 W=1, symmetry: 175
 */

const
  R: 2;             -- readers
  W: 2;             -- writers
  BUG: 0;           -- 1: forget the readers
  LAST: R + W - 1;

type
  Reader: scalarset(R);
  Writer: scalarset(W);
  Client: union { Reader, Writer };

var
  queue: array [0 .. LAST] of Client;
  length: 0 .. R + W;
  inside: array [Client] of boolean;

function in_queue(c: Client): boolean;
begin
  return exists i: 0 .. LAST do i < length & queue[i] = c end;
end;

function may_enter(c: Client): boolean;
begin
  if ismember(c, Writer) & BUG = 0 then
    return forall other: Client do !inside[other] end;
  end;
  return forall w: Writer do !inside[w] end;
end;

startstate "nobody is there"
  length := 0;
  for c: Client do inside[c] := false; end;
end;

ruleset c: Client do

  rule "queue up"
    !inside[c] & !in_queue(c)
  ==>
    queue[length] := c;
    length := length + 1;
  end;

  rule "leave"
    inside[c]
  ==>
    inside[c] := false;
  end;

end;

rule "come in"
  length > 0 & may_enter(queue[0])
==>
  inside[queue[0]] := true;
  for i: 1 .. LAST do
    if i < length then queue[i - 1] := queue[i]; end;
  end;
  length := length - 1;
  undefine queue[length];
end;

invariant "a writer is alone"
  forall w: Writer; c: Client do inside[w] & inside[c] -> c = w end;

invariant "nobody is in the queue twice"
  forall i: 0 .. LAST; j: 0 .. LAST do
    i < j & j < length -> queue[i] != queue[j]
  end;

cover "all readers are inside"
  forall r: Reader do inside[r] end;
