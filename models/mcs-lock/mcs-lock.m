/* The lock of Mellor-Crummey and Scott (1991), in Murphi.
 *
 * Processes that want the lock form a queue in which each knows its successor:
 * to join, one swaps itself into the tail and then tells the predecessor; to
 * leave, one hands the lock to the successor. Who leaves without knowing one takes
 * itself out of the tail, if it is still there, and else waits for the newcomer to
 * make itself known. Each access to memory that others see is a step of its own.
 * Nobody is a pointer that is undefined; mcs-lock-union.m has the same lock with
 * a pointer type for it. Pointers to processes everywhere, so N! symmetries.
 * Checked: one process at a time, only the one in front ends another's wait,
 * and nothing gets stuck.
 * BUG=1 makes itself known before it begins to wait: the lock may be handed over
 * in between, and the news is lost. BUG=2 empties the tail without looking who
 * is there.
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
    next: Process;        -- undefined: no successor known
    ahead: Process;       -- undefined: no predecessor, or no matter any more
  end;

var
  tail: Process;          -- undefined: nobody
  place: array [Process] of Place;

procedure Vacate(var p: Place);
begin
  p.step := IDLE;
  p.waiting := false;
  undefine p.next;
  undefine p.ahead;
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
  undefine tail;
end;

ruleset p: Process do
  alias me: place[p] do
    rule "get ready"
      me.step = IDLE
    ==>
    begin
      undefine me.next;
      me.step := SWAP;
    end;

    rule "join the queue"
      me.step = SWAP
    ==>
    begin
      if isundefined(tail) then
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
      undefine me.ahead;
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
      me.step := isundefined(me.next) ? LEAVE : PASS;
    end;

    rule "leave, or linger"
      me.step = LEAVE
    ==>
    begin
      if BUG = 2 | tail = p then
        undefine tail;
        Vacate(me);
      else
        me.step := LINGER;
      end;
    end;

    rule "see the successor"
      me.step = LINGER & !isundefined(me.next)
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
  isundefined(tail) | place[tail].step != IDLE;

cover "a queue of everybody"
  forall p: Process do place[p].step = WAIT | place[p].step = CRITICAL end;

liveness "somebody may always enter"
  exists p: Process do place[p].step = CRITICAL end;
