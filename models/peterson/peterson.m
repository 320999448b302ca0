/* Peterson's mutual exclusion for N processes, in Murphi.
 *
 * A process climbs N-1 floors. On each it signs as the last one to come, and goes
 * on when somebody else has signed after it or nobody else is as high. Processes
 * are a scalarset; floors are numbers, whose order matters. To look at all the
 * others is one step. After Peterson (1981).
 * Checked: one process at a time, and at most N-k of them above floor k.
 * BUG=1 leaves the last floor out.
 * The liveness property speaks of one process at a time. It holds; a reduction that
 * exchanges processes must not forget which of them a promise is about (Rumur's
 * does, and reports a violation from N=3 on).
 *
 * Parameters: N (default 3): number of processes
 * Parameters: BUG (default 0): 1 leaves the last floor out
 * Expect: N=2: holds, 24 states
 * Expect: N=3: holds, 356 states
 * Expect: N=4: holds, 5744 states
 * Expect: N=5: holds, 104432 states
 * Orbits: N=2, symmetry: holds, 13 states
 * Orbits: N=3, symmetry: holds, 72 states
 * Orbits: N=4, symmetry: holds, 322 states
 * Orbits: N=5, symmetry: holds, 1288 states
 * Expect: N=3 BUG=1: violated, assertion
 * Expect: N=4 BUG=1: violated, assertion
 * Rules: N=2: 42
 * Rules: N=3: 810
 * Rules: N=4: 15848
 * Rules: N=5: 338790
 * Rules: N=2, symmetry: 23
 * Rules: N=3, symmetry: 170
 * Rules: N=4, symmetry: 943
 * Rules: N=5, symmetry: 4493
 * Larger: N=6: 2111008 states, 7861932 rules
 * Larger: N=6, symmetry: 4789 states, 19374 rules
 * Not known: N=7 and more; Rumur does not finish within two minutes.
 */

const
  N: 3;             -- processes
  BUG: 0;           -- 1: one floor less

type
  Process: scalarset(N);
  Floor: 0 .. N;          -- 0: not competing, N: in the critical section
  Waiting: 1 .. N-1;
  Doing: enum { REST, SIGN, LOOK };

var
  floor: array [Process] of Floor;
  doing: array [Process] of Doing;
  last: array [Waiting] of Process;   -- undefined: nobody has been there

function Top(): Floor;
begin
  return BUG = 1 ? N - 2 : N - 1;
end;

/* Nobody else is as high as process p. */
function Ahead(p: Process): boolean;
begin
  for q: Process do
    if q != p & floor[q] >= floor[p] then
      return false;
    end;
  end;
  return true;
end;

function Above(f: Floor): 0 .. N;
var
  count: 0 .. N;
begin
  count := 0;
  for p: Process do
    if floor[p] > f then
      count := count + 1;
    end;
  end;
  return count;
end;

/* One floor up, or into the critical section, where nothing is left to do. */
procedure Climb(var at: Floor; var next: Doing);
begin
  if at >= Top() then
    at := N;
    next := REST;
  else
    at := at + 1;
    next := SIGN;
  end;
end;

startstate "nobody competes"
begin
  clear floor;
  clear doing;
  undefine last;
end;

ruleset p: Process do
  alias at: floor[p]; next: doing[p] do
    rule "begin"
      at = 0
    ==>
    begin
      Climb(at, next);
    end;

    rule "sign"
      next = SIGN
    ==>
    begin
      last[at] := p;
      next := LOOK;
    end;

    rule "go on"
      next = LOOK & (last[at] != p | Ahead(p))
    ==>
    begin
      Climb(at, next);
    end;

    rule "leave"
      at = N
    ==>
    begin
      at := 0;
    end;
  end;
end;

invariant "one at a time"
  forall p: Process do
    forall q: Process do
      p != q -> !(floor[p] = N & floor[q] = N)
    end
  end;

ruleset f: Waiting do
  invariant "fewer on each floor"
    Above(f) <= N - f;
end;

cover "everybody competes"
  forall p: Process do floor[p] > 0 end;

ruleset p: Process do
  liveness "everybody may enter"
    floor[p] = N;
end;
