/* The lock of Mellor-Crummey and Scott (1991), in Murphi, with a pointer type.
 *
 * The same lock as in mcs-lock.m, step by step, but nobody is a value of its own:
 * a pointer is a union of the processes, which are a scalarset, and of an enum
 * with one member, which stays where it is when processes are exchanged. So the
 * counts are the same. To follow a pointer is to use it as an index; that it
 * points to a process then is checked at run time.
 * BUG=1 and BUG=2 are the same, too.
 *
 * Parameters: N (default 3): number of processes
 * Parameters: BUG (default 0): 1 waits too late, 2 leaves without looking
 * Expect: N=2: holds, 42 states
 * Expect: N=3: holds, 434 states
 * Expect: N=4: holds, 5416 states
 * Expect: N=5: holds, 81912 states
 * Expect: N=2, symmetry: holds, 22 states
 * Expect: N=3, symmetry: holds, 78 states
 * Expect: N=4, symmetry: holds, 251 states
 * Expect: N=5, symmetry: holds, 775 states
 * Expect: N=2 BUG=1: violated, deadlock
 * Expect: N=3 BUG=1: violated, deadlock
 * Expect: N=2 BUG=2: violated, assertion
 * Expect: N=3 BUG=2: violated, assertion
 * Rules: N=2: 70
 * Rules: N=3: 1014
 * Rules: N=4: 16312
 * Rules: N=5: 301640
 * Rules: N=2, symmetry: 37
 * Rules: N=3, symmetry: 186
 * Rules: N=4, symmetry: 774
 * Rules: N=5, symmetry: 2923
 * Larger: N=6: 1476400 states, 6422640 rules
 * Larger: N=6, symmetry: 2352 states, 10467 rules
 * Not known: N=7 and more; Rumur does not finish within two minutes.
 */

const
  N: 3;             -- processes
  BUG: 0;           -- 1: wait too late, 2: leave without looking

type
  Process: scalarset(N);
  Pointer: union { Process, enum { NOBODY } };
  Step: enum {
    IDLE,           -- not interested
    SWAP,           -- about to swap itself into the tail
    MARK,           -- has a predecessor, about to mark itself as waiting
    LINK,           -- about to make itself known to the predecessor
    WAIT,           -- until the predecessor hands over
    CRITICAL,
    LEAVE,          -- saw no successor, about to empty the tail
    LINGER,         -- until the successor has made itself known
    PASS            -- about to hand over
  };
  Place: record
    step: Step;
    waiting: boolean;
    next: Pointer;        -- NOBODY: no successor known
    ahead: Pointer;       -- NOBODY: no predecessor, or no matter any more
  end;

var
  tail: Pointer;
  place: array [Process] of Place;

procedure Vacate(var p: Place);
begin
  p.step := IDLE;
  p.waiting := false;
  p.next := NOBODY;
  p.ahead := NOBODY;
end;

/* The two writes between the swap and the wait, in either order. */
function AfterSwap(): Step;
begin
  return BUG = 1 ? LINK : MARK;
end;

function AfterMark(): Step;
begin
  return BUG = 1 ? WAIT : LINK;
end;

function AfterLink(): Step;
begin
  return BUG = 1 ? MARK : WAIT;
end;

startstate "nobody is interested"
begin
  for p: Process do
    Vacate(place[p]);
  end;
  tail := NOBODY;
end;

ruleset p: Process do
  alias me: place[p] do
    rule "get ready"
      me.step = IDLE
    ==>
    begin
      me.next := NOBODY;
      me.step := SWAP;
    end;

    rule "join the queue"
      me.step = SWAP
    ==>
    begin
      if tail = NOBODY then
        me.step := CRITICAL;
      else
        me.ahead := tail;
        me.step := AfterSwap();
      end;
      tail := p;
    end;

    rule "mark as waiting"
      me.step = MARK
    ==>
    begin
      me.waiting := true;
      me.step := AfterMark();
    end;

    rule "make itself known"
      me.step = LINK
    ==>
    begin
      place[me.ahead].next := p;
      me.ahead := NOBODY;
      me.step := AfterLink();
    end;

    rule "stop waiting"
      me.step = WAIT & !me.waiting
    ==>
    begin
      me.step := CRITICAL;
    end;

    rule "look for a successor"
      me.step = CRITICAL
    ==>
    begin
      me.step := me.next = NOBODY ? LEAVE : PASS;
    end;

    rule "leave, or linger"
      me.step = LEAVE
    ==>
    begin
      if BUG = 2 | tail = p then
        tail := NOBODY;
        Vacate(me);
      else
        me.step := LINGER;
      end;
    end;

    rule "see the successor"
      me.step = LINGER & ismember(me.next, Process)
    ==>
    begin
      me.step := PASS;
    end;

    rule "hand over"
      me.step = PASS
    ==>
    begin
      alias other: place[me.next] do
        assert "the successor waits" BUG != 0 | other.waiting;
        other.waiting := false;
      end;
      Vacate(me);
    end;
  end;
end;

invariant "one at a time"
  forall p: Process do
    forall q: Process do
      place[p].step = CRITICAL & place[q].step = CRITICAL -> p = q
    end
  end;

invariant "the tail is busy"
  tail = NOBODY | place[tail].step != IDLE;

cover "a queue of everybody"
  forall p: Process do place[p].step = WAIT | place[p].step = CRITICAL end;

liveness "somebody may always enter"
  exists p: Process do place[p].step = CRITICAL end;
