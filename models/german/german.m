/* German's protocol: a directory keeps the caches of one line coherent.
 *
 * Three channels of one place lead between the home and each cache: one for
 * requests, one for grants and invalidations, one for acknowledgements. The home
 * serves one request at a time. A shared copy is given at once unless there is an
 * exclusive one; an exclusive copy is given when all other copies are gone. A
 * cache that held the exclusive copy sends the data back with its acknowledgement.
 * After the exercise that German gave in 2000, in the form with data.
 * Two families of names, caches and data values: N! * D! symmetries.
 * Checked: an exclusive copy is the only one, and every copy is the latest.
 * BUG=1 forgets, after a grant of a shared copy, whom it was given to. BUG=2
 * keeps the old data when the exclusive copy comes back.
 *
 * Parameters: N (default 3): number of caches
 * Parameters: D (default 2): number of data values
 * Parameters: BUG (default 0): 1 forgets a sharer, 2 does not write back
 * Expect: N=2: holds, 3156 states
 * Expect: N=3: holds, 53298 states
 * Expect: N=2 D=1: holds, 1344 states
 * Expect: N=2 D=3: holds, 5436 states
 * Expect: N=3 D=1: holds, 25110 states
 * Expect: N=2, symmetry: holds, 795 states
 * Expect: N=3, symmetry: holds, 4813 states
 * Expect: N=2 D=1, symmetry: holds, 678 states
 * Expect: N=2 D=3, symmetry: holds, 795 states
 * Expect: N=3 D=1, symmetry: holds, 4525 states
 * Expect: N=4, symmetry: holds, 26015 states
 * Expect: N=2 BUG=1: violated, assertion
 * Expect: N=3 BUG=1: violated, assertion
 * Expect: N=2 BUG=2: violated, assertion
 * Rules: N=2: 9168
 * Rules: N=3: 212112
 * Rules: N=2 D=1: 3654
 * Rules: N=2 D=3: 17514
 * Rules: N=3 D=1: 98901
 * Rules: N=2, symmetry: 2312
 * Rules: N=3, symmetry: 19217
 * Rules: N=2 D=1, symmetry: 1847
 * Rules: N=2 D=3, symmetry: 2474
 * Rules: N=3 D=1, symmetry: 17873
 * Rules: N=4, symmetry: 136868
 * Larger: N=4: 1024920 states, 5387472 rules
 * Larger: N=4 D=1: 504360 states, 2650644 rules
 * Larger: N=4 D=1, symmetry: 25481 states, 134006 rules
 * Not known: N=5 and more, with or without symmetry; Rumur does not finish within
 * two minutes.
 */

const
  N: 3;             -- caches
  D: 2;             -- values that data may have
  BUG: 0;           -- 1: a sharer is not written down, 2: data are not written back

type
  Cache: scalarset(N);
  Value: scalarset(D);
  Right: enum { INVALID, SHARED, EXCLUSIVE };
  Line: record
    right: Right;
    value: Value;         -- undefined: invalid
  end;
  /* Of each message, only the fields that it needs are defined. */
  Request: enum { ASK_SHARED, ASK_EXCLUSIVE };
  Order: record
    kind: enum { GRANT_SHARED, GRANT_EXCLUSIVE, INVALIDATE };
    value: Value;
  end;
  Reply: record
    sent: boolean;
    value: Value;
  end;
  Channels: record
    request: Request;     -- undefined: empty
    order: Order;         -- kind undefined: empty
    reply: Reply;
  end;
  Set: array [Cache] of boolean;

var
  line: array [Cache] of Line;
  channel: array [Cache] of Channels;
  home: record
    sharers: Set;         -- who has a copy, or is about to
    pending: Set;         -- who has to be told to give its copy up
    exclusive: boolean;   -- the only sharer has an exclusive copy
    serving: Request;     -- undefined: nothing to do
    client: Cache;        -- undefined together with serving
    memory: Value;
  end;
  latest: Value;          -- what was written last; only the properties look at it

function Empty(s: Set): boolean;
begin
  return !exists c: Cache do s[c] end;
end;

function NoOrder(c: Cache): boolean;
begin
  return isundefined(channel[c].order.kind);
end;

procedure Drop(var l: Line);
begin
  l.right := INVALID;
  undefine l.value;
end;

procedure Take(var l: Line; var o: Order; right: Right);
begin
  l.right := right;
  l.value := o.value;
  undefine o;
end;

/* The request is served: the client gets the data, and the home is free again. */
procedure Serve(var grant: Order);
begin
  grant.kind := home.serving = ASK_SHARED ? GRANT_SHARED : GRANT_EXCLUSIVE;
  grant.value := home.memory;
  home.exclusive := home.serving = ASK_EXCLUSIVE;
  if BUG != 1 | home.exclusive then
    home.sharers[home.client] := true;
  end;
  undefine home.serving;
  undefine home.client;
  clear home.pending;       -- nobody: false is the first boolean
end;

ruleset v: Value do
  startstate "all copies invalid"
  begin
    for c: Cache do
      Drop(line[c]);
      undefine channel[c];
      channel[c].reply.sent := false;
    end;
    clear home.sharers;
    clear home.pending;
    home.exclusive := false;
    undefine home.serving;
    undefine home.client;
    home.memory := v;
    latest := v;
  end;
end;

ruleset c: Cache do
  alias mine: line[c]; way: channel[c] do
    rule "ask for a shared copy"
      isundefined(way.request) & mine.right = INVALID
    ==>
    begin
      way.request := ASK_SHARED;
    end;

    rule "ask for the exclusive copy"
      isundefined(way.request) & mine.right != EXCLUSIVE
    ==>
    begin
      way.request := ASK_EXCLUSIVE;
    end;

    rule "receive a grant"
      !isundefined(way.order.kind) & way.order.kind != INVALIDATE
    ==>
    begin
      Take(mine, way.order, way.order.kind = GRANT_SHARED ? SHARED : EXCLUSIVE);
    end;

    rule "give the copy up"
      !isundefined(way.order.kind) & way.order.kind = INVALIDATE & !way.reply.sent
    ==>
    begin
      undefine way.order;
      way.reply.sent := true;
      if mine.right = EXCLUSIVE then
        way.reply.value := mine.value;
      end;
      Drop(mine);
    end;

    rule "home: pick a request"
      isundefined(home.serving) & !isundefined(way.request)
    ==>
    begin
      home.serving := way.request;
      home.client := c;
      home.pending := home.sharers;
      undefine way.request;
    end;

    rule "home: invalidate"
      home.pending[c] & NoOrder(c) & !isundefined(home.serving)
      & (home.serving = ASK_EXCLUSIVE | home.exclusive)
    ==>
    begin
      way.order.kind := INVALIDATE;
      home.pending[c] := false;
    end;

    rule "home: receive an acknowledgement"
      way.reply.sent & !isundefined(home.serving)
    ==>
    begin
      home.sharers[c] := false;
      if home.exclusive then
        assert "the data come back" !isundefined(way.reply.value);
        if BUG != 2 then
          home.memory := way.reply.value;
        end;
        home.exclusive := false;
      end;
      way.reply.sent := false;
      undefine way.reply.value;
    end;

    rule "home: grant a shared copy"
      !isundefined(home.serving) & home.serving = ASK_SHARED & home.client = c
      & !home.exclusive & NoOrder(c)
    ==>
    begin
      Serve(way.order);
    end;

    rule "home: grant the exclusive copy"
      !isundefined(home.serving) & home.serving = ASK_EXCLUSIVE & home.client = c
      & Empty(home.sharers) & NoOrder(c)
    ==>
    begin
      Serve(way.order);
    end;
  end;
end;

ruleset c: Cache; v: Value do
  rule "write"
    line[c].right = EXCLUSIVE
  ==>
  begin
    line[c].value := v;
    latest := v;
  end;
end;

invariant "an exclusive copy is alone"
  forall c: Cache do
    line[c].right = EXCLUSIVE ->
      forall d: Cache do d = c | line[d].right = INVALID end
  end;

invariant "every copy is the latest"
  forall c: Cache do line[c].right != INVALID -> line[c].value = latest end;

invariant "memory is the latest if nobody may write"
  !home.exclusive -> home.memory = latest;

cover "everybody shares"
  forall c: Cache do line[c].right = SHARED end;

liveness "everything can be given back"
  Empty(home.sharers);
