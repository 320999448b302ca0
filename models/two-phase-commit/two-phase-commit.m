/* Two-phase commit: everybody does it or nobody does.
 *
 * Each participant votes; a vote travels until the coordinator collects it. The
 * coordinator commits once it has collected a yes from everybody, and aborts at
 * the first no or when it loses patience. Then everybody learns the decision, and
 * the next round begins. After Gray (1978).
 * Checked: no participant commits while another one has aborted.
 * BUG=1 commits as soon as all the votes collected so far, at least one, are yes.
 * Participants differ in nothing but their names: N! symmetries.
 *
 * States: 4^N before the decision (not voted, yes under way, yes collected, no
 * under way), 2^N after a commit, 5^N after an abort, when a participant may also
 * know it, and N * 5^(N-1) more where one no was collected. For the orbits, put
 * C(N+3, 3) + (N+1) + C(N+4, 4) + C(N+3, 4).
 *
 * Parameters: N (default 3): number of participants
 * Parameters: BUG (default 0): 1 commits before everybody has voted
 * Expect: N=2: holds, 55 states
 * Expect: N=3: holds, 272 states
 * Expect: N=5: holds, 7306 states
 * Expect: N=7: holds, 204012 states
 * Expect: N=2, symmetry: holds, 33 states
 * Expect: N=3, symmetry: holds, 74 states
 * Expect: N=5, symmetry: holds, 258 states
 * Expect: N=7, symmetry: holds, 668 states
 * Expect: N=12, symmetry: holds, 3653 states
 * Expect: N=2 BUG=1: violated, assertion
 * Expect: N=3 BUG=1: violated, assertion
 * Rules: N=2: 137
 * Rules: N=3: 976
 * Rules: N=5: 43102
 * Rules: N=7: 1684648
 * Rules: N=2, symmetry: 83
 * Rules: N=3, symmetry: 266
 * Rules: N=5, symmetry: 1516
 * Rules: N=7, symmetry: 5485
 * Rules: N=12, symmetry: 51587
 * Larger: N=8: 1081417 states, 10215851 rules
 * Larger: N=9: 5731406 states, 60983122 rules
 * Larger: N=8, symmetry: 999 states, 9378 rules
 * Larger: N=20, symmetry: 21273 states, 503177 rules
 */

const
  N: 3;             -- participants
  BUG: 0;           -- 1: commit before everybody has voted

type
  Participant: scalarset(N);
  Vote: enum { YES, NO };
  Decision: enum { COMMIT, ABORT };
  Phase: enum { WORKING, PREPARED, COMMITTED, ABORTED };
  Member: record
    phase: Phase;
    vote: Vote;           -- undefined: not cast, or of no more use
    collected: boolean;   -- the coordinator knows the vote
  end;

var
  member: array [Participant] of Member;
  decision: Decision;     -- undefined: not yet taken

procedure Restart(var m: Member);
begin
  m.phase := WORKING;
  undefine m.vote;
  m.collected := false;
end;

procedure Learn(var m: Member; outcome: Decision);
begin
  Restart(m);
  m.phase := outcome = COMMIT ? COMMITTED : ABORTED;
end;

/* A vote that is still under way does not count. */
function SaidYes(m: Member): boolean;
begin
  return m.collected & m.vote = YES;
end;

function MayCommit(): boolean;
begin
  if BUG = 1 then
    return exists p: Participant do SaidYes(member[p]) end;
  end;
  return forall p: Participant do SaidYes(member[p]) end;
end;

function Informed(m: Member): boolean;
begin
  return isundefined(m.vote) & m.phase != WORKING;
end;

startstate "everybody at work"
begin
  for p: Participant do
    Restart(member[p]);
  end;
  undefine decision;
end;

ruleset p: Participant; v: Vote do
  alias m: member[p] do
    rule "cast a vote"
      m.phase = WORKING
    ==>
    begin
      m.vote := v;
      m.phase := v = YES ? PREPARED : ABORTED;
    end;
  end;
end;

ruleset p: Participant do
  alias m: member[p] do
    rule "collect a vote"
      isundefined(decision) & !isundefined(m.vote) & !m.collected
    ==>
    begin
      m.collected := true;
      if m.vote = NO then
        decision := ABORT;
      end;
    end;

    rule "learn the decision"
      !isundefined(decision) & !Informed(m)
    ==>
    begin
      Learn(m, decision);
    end;
  end;
end;

rule "commit"
  isundefined(decision) & MayCommit()
==>
begin
  decision := COMMIT;
end;

rule "lose patience"
  isundefined(decision)
==>
begin
  decision := ABORT;
end;

rule "next round"
  !isundefined(decision) & forall p: Participant do Informed(member[p]) end
==>
begin
  for p: Participant do
    Restart(member[p]);
  end;
  undefine decision;
end;

invariant "all or nobody"
  forall p: Participant do
    forall q: Participant do
      !(member[p].phase = COMMITTED & member[q].phase = ABORTED)
    end
  end;

invariant "nobody runs ahead of the decision"
  isundefined(decision) -> forall p: Participant do member[p].phase != COMMITTED end;

cover "everybody has committed"
  forall p: Participant do member[p].phase = COMMITTED end;

liveness "the next round may succeed"
  forall p: Participant do member[p].phase = COMMITTED end;
