/* Jobs in a common pool, and in an inbox for each worker.
 *
 * A large job is divided into two small ones, which go back to the pool; small
 * jobs get done. A worker takes jobs into its inbox as long as there is room, and
 * steals from the inbox of another one if its own is empty. When all is done,
 * everything begins again. Pool and inboxes are multisets: they may have several
 * equal jobs, and their order is nobody's business.
 * Checked: no work is lost and none is done twice, and no inbox overflows.
 * BUG=1 leaves a stolen job where it was. BUG=2 takes jobs without looking for room.
 *
 * Each of several equal jobs is a choice of its own, so the number of rules is
 * that of a model that has a counter for each kind of job, and a parameter that goes
 * from 1 to the counter.
 *
 * Parameters: N (default 2): number of workers
 * Parameters: K (default 2): number of large jobs in the beginning
 * Parameters: BUG (default 0): 1 copies stolen jobs, 2 overflows
 * Expect: N=2 K=1: holds, 13 states
 * Expect: N=2 K=2: holds, 61 states
 * Expect: N=2 K=3: holds, 170 states
 * Expect: N=3 K=2: holds, 122 states
 * Expect: N=3 K=3: holds, 441 states
 * Expect: N=2 K=1, symmetry: holds, 9 states
 * Expect: N=2 K=2, symmetry: holds, 38 states
 * Expect: N=2 K=3, symmetry: holds, 102 states
 * Orbits: N=3 K=2, symmetry: holds, 42 states
 * Orbits: N=3 K=3, symmetry: holds, 131 states
 * Expect: N=2 K=2 BUG=1: violated, assertion
 * Expect: N=2 K=2 BUG=2: violated, assertion
 * Rules: N=2 K=1: 35
 * Rules: N=2 K=2: 255
 * Rules: N=2 K=3: 913
 * Rules: N=3 K=2: 790
 * Rules: N=3 K=3: 3589
 * Rules: N=2 K=1, symmetry: 23
 * Rules: N=2 K=2, symmetry: 157
 * Rules: N=2 K=3, symmetry: 550
 * Rules: N=3 K=2, symmetry: 269
 * Rules: N=3 K=3, symmetry: 1082
 */

const
  N: 2;             -- workers
  K: 2;             -- large jobs
  BUG: 0;           -- 1: copy stolen jobs, 2: overflow
  ROOM: 2;          -- of an inbox

type
  Worker: scalarset(N);
  Job: enum { LARGE, SMALL };

var
  pool: multiset [2 * K] of Job;
  inbox: array [Worker] of multiset [ROOM] of Job;
  done: 0 .. 2 * K;       -- small jobs

procedure fill();
begin
  for i := 1 to K do multisetadd(LARGE, pool); end;
  done := 0;
end;

function held(w: Worker): 0 .. ROOM;
begin
  return multisetcount(j: inbox[w], true);
end;

-- the work in all inboxes, in small jobs
function waiting(): 0 .. 2 * N * ROOM;
var sum: 0 .. 2 * N * ROOM;
begin
  sum := 0;
  for w: Worker do
    sum := sum + held(w) + multisetcount(j: inbox[w], inbox[w][j] = LARGE);
  end;
  return sum;
end;

startstate "all in the pool"
  fill();
end;

ruleset w: Worker do

  choose j: pool do
    rule "take"
      held(w) < ROOM | BUG = 2
    ==>
      multisetadd(pool[j], inbox[w]);
      multisetremove(j, pool);
    end;
  end;

  choose j: inbox[w] do
    rule "work"
      if inbox[w][j] = LARGE then
        multisetadd(SMALL, pool);
        multisetadd(SMALL, pool);
      else
        done := done + 1;
      end;
      multisetremove(j, inbox[w]);
    end;
  end;

  ruleset other: Worker do
    choose j: inbox[other] do
      rule "steal"
        w != other & held(w) = 0
      ==>
        multisetadd(inbox[other][j], inbox[w]);
        if BUG != 1 then multisetremove(j, inbox[other]); end;
      end;
    end;
  end;

end;

rule "begin again"
  done = 2 * K
==>
  fill();
end;

invariant "no work is lost or done twice"
  done + waiting() + multisetcount(j: pool, true) + multisetcount(j: pool, pool[j] = LARGE) = 2 * K;

cover "two large jobs with one worker"
  K < 2 | exists w: Worker do multisetcount(j: inbox[w], inbox[w][j] = LARGE) = 2 end;
