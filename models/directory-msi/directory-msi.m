/* A directory protocol with the states modified, shared and invalid.
 *
 * One line of memory has its home at a directory, which serves one request at a
 * time: it calls the modified copy back or has the shared copies dropped, grants
 * what was asked for, and waits until the grant has arrived. A modified copy may
 * also be written back at any time, so a recall and a write-back may cross; then
 * each of them stands for the answer to the other. The network is a multiset of
 * messages, which may overtake one another. The ends of a message are nodes: a
 * union of the caches, which are a scalarset, and the home, which is not.
 * Two families of names, caches and data values: N! * D! symmetries.
 * Checked: a modified copy is the only one, every copy is the latest, no message
 * comes to anybody who does not expect it, the network never overflows.
 * BUG=1 does not wait until a grant has arrived: the order to drop the copy may
 * overtake it. BUG=2 acknowledges a write-back although a recall has crossed it.
 *
 * No two messages are ever equal, so every count is the same as for a model with
 * a boolean for each possible message.
 *
 * Parameters: N (default 2): number of caches
 * Parameters: D (default 2): number of data values
 * Parameters: BUG (default 0): 1 does not await grants, 2 answers a write-back twice
 * Expect: N=2: holds, 560 states
 * Expect: N=3: holds, 7024 states
 * Expect: N=4: holds, 82528 states
 * Expect: N=2, symmetry: holds, 144 states
 * Expect: N=3, symmetry: holds, 670 states
 * Expect: N=4, symmetry: holds, 2392 states
 * Expect: N=2 BUG=1: violated, assertion
 * Expect: N=2 BUG=2: violated, assertion
 * Rules: N=2: 1440
 * Rules: N=3: 24168
 * Rules: N=4: 357344
 * Rules: N=2, symmetry: 371
 * Rules: N=3, symmetry: 2338
 * Rules: N=4, symmetry: 10589
 * Larger: N=5: 959616 states, 5043480 rules
 * Larger: N=5, symmetry: 7261 states, 39150 rules
 */

const
  N: 2;             -- caches
  D: 2;             -- values that data may have
  BUG: 0;           -- 1: grants are not awaited, 2: a write-back is answered twice

type
  Cache: scalarset(N);
  Home: enum { HOME };
  Node: union { Cache, Home };
  Value: scalarset(D);

  Kind: enum {
    -- from a cache to the home
    GET_SHARED, GET_MODIFIED, ARRIVED, DROPPED, RETURNED, WRITE_BACK,
    -- from the home to a cache
    GRANT_SHARED, GRANT_MODIFIED, DROP, RECALL, WRITTEN
  };
  Message: record
    kind: Kind;
    src, dst: Node;
    value: Value;         -- undefined in messages without data
  end;

  Copy: record
    state: enum { INVALID, SHARED, MODIFIED, ASKED, LEAVING };
    value: Value;         -- undefined: no copy
  end;
  Phase: enum { READY, RECALLING, DROPPING, GRANTED };

var
  net: multiset [2 * N] of Message;
  copy: array [Cache] of Copy;
  home: record
    phase: Phase;
    wanted: Kind;                       -- the request being served
    client: Node;                       -- and who made it; HOME: nobody
    owner: Node;                        -- of the modified copy; HOME: there is none
    sharers: array [Cache] of boolean;  -- who may have a shared copy
    memory: Value;                      -- undefined: the owner has the data
  end;
  latest: Value;          -- what was written last; only the properties look at it

procedure Send(kind: Kind; src: Node; dst: Node);
var
  msg: Message;
begin
  undefine msg;
  msg.kind := kind;
  msg.src := src;
  msg.dst := dst;
  MultiSetAdd(msg, net);
end;

procedure SendData(kind: Kind; src: Node; dst: Node; value: Value);
var
  msg: Message;
begin
  msg.kind := kind;
  msg.src := src;
  msg.dst := dst;
  msg.value := value;
  MultiSetAdd(msg, net);
end;

procedure Rest();
begin
  home.phase := READY;
  undefine home.wanted;
  home.client := HOME;
end;

/* Nobody else has a copy that is in the way of the client's. */
procedure Grant();
begin
  if home.wanted = GET_SHARED then
    for c: Cache do
      if c = home.client then
        home.sharers[c] := true;
      end;
    end;
    SendData(GRANT_SHARED, HOME, home.client, home.memory);
  else
    clear home.sharers;
    home.owner := home.client;
    SendData(GRANT_MODIFIED, HOME, home.client, home.memory);
    undefine home.memory;
  end;
  home.phase := GRANTED;
  if BUG = 1 then
    Rest();
  end;
end;

function InTheWay(c: Cache): boolean;
begin
  return home.sharers[c] & c != home.client;
end;

function HowManyInTheWay(): 0 .. N;
var
  count: 0 .. N;
begin
  count := 0;
  for c: Cache do
    if InTheWay(c) then
      count := count + 1;
    end;
  end;
  return count;
end;

procedure StartServing(wanted: Kind; client: Node);
begin
  home.wanted := wanted;
  home.client := client;
  if home.owner != HOME then
    home.phase := RECALLING;
    Send(RECALL, HOME, home.owner);
  elsif wanted = GET_MODIFIED & HowManyInTheWay() > 0 then
    home.phase := DROPPING;
    for c: Cache do
      if InTheWay(c) then
        Send(DROP, HOME, c);
      end;
    end;
  else
    Grant();
  end;
end;

procedure Regain(value: Value);
begin
  home.memory := value;
  home.owner := HOME;
end;

/* What a cache does with a message; `here` is its copy. */
procedure Receive(msg: Message; c: Cache; var here: Copy);
begin
  switch msg.kind
    case GRANT_SHARED:
      here.state := SHARED;
      here.value := msg.value;
      Send(ARRIVED, c, HOME);
    case GRANT_MODIFIED:
      here.state := MODIFIED;
      here.value := msg.value;
      Send(ARRIVED, c, HOME);
    case DROP:
      if here.state = SHARED then
        here.state := INVALID;
        undefine here.value;
      end;
      Send(DROPPED, c, HOME);
    case RECALL:
      switch here.state
        case MODIFIED:
          SendData(RETURNED, c, HOME, here.value);
        case LEAVING:         -- the data are under way already
        else
          error "recall of a copy that is not there";
      end;
      here.state := INVALID;
      undefine here.value;
    case WRITTEN:
      assert here.state = LEAVING "no write-back to acknowledge";
      here.state := INVALID;
    else
      error "not a message for a cache";
  end;
end;

ruleset v: Value do
  startstate "all data at home"
  begin
    undefine net;
    for c: Cache do
      copy[c].state := INVALID;
      undefine copy[c].value;
    end;
    clear home.sharers;
    Rest();
    Regain(v);
    latest := v;
  end;
end;

ruleset c: Cache do
  alias here: copy[c] do
    rule "ask for a shared copy"
      here.state = INVALID
    ==>
    begin
      here.state := ASKED;
      Send(GET_SHARED, c, HOME);
    end;

    rule "ask for the modified copy"
      here.state = INVALID | here.state = SHARED
    ==>
    begin
      here.state := ASKED;
      undefine here.value;
      Send(GET_MODIFIED, c, HOME);
    end;

    rule "drop a shared copy"
      here.state = SHARED
    ==>
    begin
      here.state := INVALID;
      undefine here.value;
    end;

    rule "write back"
      here.state = MODIFIED
    ==>
    begin
      here.state := LEAVING;
      SendData(WRITE_BACK, c, HOME, here.value);
      undefine here.value;
    end;

    ruleset v: Value do
      rule "write"
        here.state = MODIFIED
      ==>
      begin
        here.value := v;
        latest := v;
      end;
    end;

    choose m: net do
      rule "receive"
        net[m].dst = c
      ==>
      var
        msg: Message;
      begin
        msg := net[m];
        MultiSetRemove(m, net);
        Receive(msg, c, here);
      end;
    end;
  end;
end;

choose m: net do
  alias msg: net[m] do
    rule "home: begin to serve"
      home.phase = READY & (msg.kind = GET_SHARED | msg.kind = GET_MODIFIED)
    ==>
    var
      got: Message;
    begin
      got := msg;
      MultiSetRemove(m, net);
      StartServing(got.kind, got.src);
    end;

    rule "home: the recalled data"
      home.phase = RECALLING & (msg.kind = RETURNED | msg.kind = WRITE_BACK)
    ==>
    var
      got: Message;
    begin
      got := msg;
      MultiSetRemove(m, net);
      if BUG = 2 & got.kind = WRITE_BACK then
        Send(WRITTEN, HOME, got.src);
      end;
      Regain(got.value);
      Grant();
    end;

    rule "home: written back"
      home.phase = READY & msg.kind = WRITE_BACK
    ==>
    var
      got: Message;
    begin
      got := msg;
      MultiSetRemove(m, net);
      Regain(got.value);
      Send(WRITTEN, HOME, got.src);
    end;

    rule "home: the grant has arrived"
      msg.kind = ARRIVED & (BUG = 1 | home.phase = GRANTED)
    ==>
    begin
      MultiSetRemove(m, net);
      if BUG != 1 then
        Rest();
      end;
    end;
  end;
end;

rule "home: all copies are dropped"
  home.phase = DROPPING
  & MultiSetCount(m: net, net[m].kind = DROPPED) = HowManyInTheWay()
==>
begin
  MultiSetRemovePred(m: net, net[m].kind = DROPPED);
  clear home.sharers;
  Grant();
end;

invariant "a modified copy is alone"
  forall c: Cache do
    copy[c].state = MODIFIED ->
      forall d: Cache do
        d = c | (copy[d].state != SHARED & copy[d].state != MODIFIED)
      end
  end;

invariant "every copy is the latest"
  forall c: Cache do isundefined(copy[c].value) | copy[c].value = latest end;

invariant "two messages for each cache"
  forall c: Cache do
    MultiSetCount(m: net, net[m].src = c | net[m].dst = c) <= 2
  end;

cover "a recall and a write-back cross"
  MultiSetCount(m: net, net[m].kind = RECALL) = 1
  & MultiSetCount(m: net, net[m].kind = WRITE_BACK) = 1;

liveness "the network may always become empty"
  MultiSetCount(m: net, true) = 0;
