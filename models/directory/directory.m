/* A directory protocol with the states modified, exclusive, shared and invalid,
 * three hops, write-backs, refusals, and a device that reads and writes memory.
 *
 * Every address has a home with a memory and a directory. The directory serves
 * one transaction at a time for each address, and other requests wait in the
 * network, or are refused and sent again (NACKS=1). It answers itself, or sends
 * the request on to the owner, which answers the requester; caches that share
 * the line are told to drop it and acknowledge to the requester, who counts. The
 * requester ends the transaction. A cache may give a line back at any time, so
 * that a line that is on its way home may be asked for: then the cache answers
 * from what it gives back. With DEVICE=1 a device reads and writes memory
 * without a cache, in the same transactions.
 *
 * The network is one multiset of messages of all addresses, which overtake one
 * another. The ends of messages are nodes: a union of the caches, the home and
 * the device. Three families of names: caches, addresses and values.
 *
 * Checked: one writer or many readers; every copy has the value that was written
 * last, and so has memory where no cache owns the line; the directory knows who
 * has copies; no message comes to anybody who does not expect it; the network
 * never overflows.
 *
 * BUG=1: the home does not wait for the value that an owner gives up when it
 * shares its line. BUG=2: a cache writes before all others have acknowledged.
 * BUG=3: a cache that waits to write keeps a line that it was told to drop.
 *
 * Rumur counts the same states and rules in a translation of this model that
 * keeps the network in a sorted array.
 *
 * Parameters: CACHES (default 2): number of caches
 * Parameters: ADDRESSES (default 1): number of addresses
 * Parameters: VALUES (default 2): number of values that data may have
 * Parameters: DEVICE (default 0): 1 has a device that reads and writes memory
 * Parameters: NACKS (default 0): 1 refuses requests to a busy home
 * Parameters: BUG (default 0): 1 to 3 leave something out, see above
 * Expect: CACHES=2: holds, 1854 states
 * Expect: CACHES=2 NACKS=1: holds, 3262 states
 * Expect: CACHES=2 DEVICE=1: holds, 24738 states
 * Expect: CACHES=3: holds, 59760 states
 * Expect: CACHES=2, symmetry: holds, 468 states
 * Expect: CACHES=3, symmetry: holds, 5210 states
 * Expect: CACHES=2 BUG=1: violated, assertion
 * Expect: CACHES=2 BUG=2: violated, assertion
 * Expect: CACHES=2 BUG=3: violated, assertion
 * Rules: CACHES=2: 4692
 * Rules: CACHES=2 NACKS=1: 10016
 * Rules: CACHES=2 DEVICE=1: 77572
 * Rules: CACHES=3: 190902
 * Rules: CACHES=2, symmetry: 1184
 * Rules: CACHES=3, symmetry: 16716
 */

const
  CACHES: 2;            -- caches
  ADDRESSES: 1;         -- lines of memory
  VALUES: 2;            -- values that a line may have
  DEVICE: 0;            -- 1: there is a device
  NACKS: 0;             -- 1: a busy home refuses
  BUG: 0;               -- what is left out

  -- A cache has a request on its way, and an invalidation or its answer; and
  -- there are the messages between the home, the requester and the owner.
  ROOM: ADDRESSES * (2 * CACHES + 2 + DEVICE);

type
  Cache: scalarset(CACHES);
  Address: scalarset(ADDRESSES);
  Value: scalarset(VALUES);
  Home: enum { HOME };
  Device: enum { DISK };

  Node: union { Cache, Home, Device };
  Requester: union { Cache, Device };
  Count: 0 .. CACHES;

  Kind: enum {
    -- requests, from a cache or the device to the home
    GET_SHARED,           -- wants to read
    GET_MODIFIED,         -- wants to write
    PUT_SHARED,           -- gives back a line that it shares
    PUT_EXCLUSIVE,        -- gives back a line that nobody has changed
    PUT_MODIFIED,         -- gives back a line that it has changed
    DEVICE_READ,          -- the device wants to read
    DEVICE_WRITE,         -- the device wants to write
    -- from the home to a cache
    FORWARD_SHARED,       -- to the owner: the requester wants to read
    FORWARD_MODIFIED,     -- to the owner: the requester wants to write
    FORWARD_DEVICE,       -- to the owner: the device wants to read
    INVALIDATE,           -- to those who share: the requester wants to write
    PUT_DONE,             -- the line was taken back
    REFUSED,              -- the home is busy; ask again
    -- from the home or the owner to the requester
    DATA,                 -- a line to read
    DATA_EXCLUSIVE,       -- a line that nobody else has
    DATA_MODIFIED,        -- a line to write, after so many acknowledgements
    GRANT,                -- the same for a cache that has the line already
    -- from a cache to the requester
    INVALIDATED,          -- the line was dropped
    -- from the owner to the home
    SHARED_VALUE,         -- the owner has changed the line and now shares it
    SHARED_CLEAN,         -- the owner has not changed it and now shares it
    -- from the requester to the home
    FINISHED,             -- the transaction is over
    FINISHED_WRITE        -- the same for the device, with what it writes
  };

  Message: record
    kind: Kind;
    address: Address;
    source: Node;
    target: Node;
    requester: Requester; -- of what is forwarded and invalidated
    value: Value;         -- of what has data
    count: Count;         -- of what says how many will acknowledge
  end;

  LineState: enum {
    -- stable
    INVALID, SHARED, EXCLUSIVE, MODIFIED,
    -- on the way to a copy
    READING,              -- waits for a line to read
    WRITING,              -- waits for a line to write
    UPGRADING,            -- the same, and shares the line still
    COUNTING,             -- has the line, waits for acknowledgements
    -- on the way back, until the home has it
    GIVING_SHARED, GIVING_EXCLUSIVE, GIVING_MODIFIED,
    GIVING_NOTHING        -- asked for on the way: there is nothing left
  };

  Line: record
    state: LineState;
    value: Value;         -- undefined if there is none
    needed: Count;        -- acknowledgements that will come, once that is known
    counted: Count;       -- those that have come; undefined if nobody counts
  end;

  HomeState: enum {
    UNCACHED,             -- nobody has the line
    SHARING,              -- some caches may read
    OWNED                 -- one cache may write
  };

  Directory: record
    state: HomeState;
    owner: Cache;         -- if it is owned
    sharers: array [Cache] of boolean;
    memory: Value;
    busy: boolean;        -- in the middle of a transaction
    awaits_end: boolean;  -- the requester has not finished
    awaits_value: boolean -- the owner has not said what it shares
  end;

  DeviceState: enum { IDLE, DEVICE_READING, DEVICE_WRITING };

  Port: record
    state: DeviceState;
    value: Value;         -- what is to be written
    needed: Count;
    counted: Count;
  end;

var
  line: array [Cache] of array [Address] of Line;
  home: array [Address] of Directory;
  port: array [Address] of Port;
  net: multiset [ROOM] of Message;
  latest: array [Address] of Value;     -- what was written last; nobody reads it

----------------------------------------------------------------------------
-- Messages
----------------------------------------------------------------------------

procedure Post(kind: Kind; a: Address; source: Node; target: Node;
               requester: Requester; value: Value; count: Count);
  var m: Message;
begin
  undefine m;
  m.kind := kind;
  m.address := a;
  m.source := source;
  m.target := target;
  m.requester := requester;
  m.value := value;
  m.count := count;
  multisetadd(m, net);
end;

-- A message that says no more than its kind.
procedure Say(kind: Kind; a: Address; source: Node; target: Node);
begin
  Post(kind, a, source, target, undefined, undefined, undefined);
end;

-- A message with a value.
procedure Tell(kind: Kind; a: Address; source: Node; target: Node; value: Value);
begin
  Post(kind, a, source, target, undefined, value, undefined);
end;

-- What the home wants of a cache for somebody else.
procedure Order(kind: Kind; a: Address; target: Cache; requester: Requester);
begin
  Post(kind, a, HOME, target, requester, undefined, undefined);
end;

function IsRequest(kind: Kind): boolean;
begin
  switch kind
    case GET_SHARED, GET_MODIFIED, PUT_SHARED, PUT_EXCLUSIVE, PUT_MODIFIED,
         DEVICE_READ, DEVICE_WRITE:
      return true;
    else
      return false;
  end;
end;

function IsPut(kind: Kind): boolean;
begin
  return kind = PUT_SHARED | kind = PUT_EXCLUSIVE | kind = PUT_MODIFIED;
end;

function HasValue(kind: Kind): boolean;
begin
  switch kind
    case DATA, DATA_EXCLUSIVE, DATA_MODIFIED, SHARED_VALUE, PUT_MODIFIED,
         FINISHED_WRITE:
      return true;
    else
      return false;
  end;
end;

-- How many messages of an address are on their way.
function Waiting(a: Address): 0 .. ROOM;
begin
  return multisetcount(i: net, net[i].address = a);
end;

----------------------------------------------------------------------------
-- Lines
----------------------------------------------------------------------------

function MayRead(state: LineState): boolean;
begin
  switch state
    case SHARED, EXCLUSIVE, MODIFIED, UPGRADING:
      return true;
    else
      return false;
  end;
end;

function MayWrite(state: LineState): boolean;
begin
  return state = EXCLUSIVE | state = MODIFIED;
end;

-- True if the line is on its way home.
function IsGiving(state: LineState): boolean;
begin
  switch state
    case GIVING_SHARED, GIVING_EXCLUSIVE, GIVING_MODIFIED, GIVING_NOTHING:
      return true;
    else
      return false;
  end;
end;

-- True if the cache must answer what is forwarded to the owner.
function IsOwner(state: LineState): boolean;
begin
  switch state
    case EXCLUSIVE, MODIFIED, GIVING_EXCLUSIVE, GIVING_MODIFIED:
      return true;
    else
      return false;
  end;
end;

-- True if the owner may have changed the line.
function IsChanged(state: LineState): boolean;
begin
  return state = MODIFIED | state = GIVING_MODIFIED;
end;

procedure Forget(var l: Line);
begin
  undefine l;
  l.state := INVALID;
end;

-- The line stays, but nobody counts anything for it.
procedure Settle(var l: Line; state: LineState);
begin
  l.state := state;
  undefine l.needed;
  undefine l.counted;
end;

procedure StartCounting(var l: Line; state: LineState);
begin
  l.state := state;
  l.counted := 0;
  undefine l.needed;
end;

-- The owner gives its line up to a reader: it shares it from now on.
procedure BecomeSharer(var l: Line);
begin
  if IsGiving(l.state) then
    l.state := GIVING_SHARED;
  else
    l.state := SHARED;
  end;
end;

-- The line is wanted elsewhere: nothing is left.
procedure Drop(var l: Line);
begin
  undefine l.value;
  if IsGiving(l.state) then
    l.state := GIVING_NOTHING;
  else
    l.state := INVALID;
  end;
end;

----------------------------------------------------------------------------
-- Directories
----------------------------------------------------------------------------

function Sharers(d: Directory): Count;
  var n: Count;
begin
  n := 0;
  for c: Cache do
    if d.sharers[c] then
      n := n + 1;
    end;
  end;
  return n;
end;

-- How many share the line besides the requester.
function OtherSharers(d: Directory; r: Requester): Count;
  var n: Count;
begin
  n := 0;
  for c: Cache do
    if d.sharers[c] & c != r then
      n := n + 1;
    end;
  end;
  return n;
end;

procedure NoSharers(var d: Directory);
begin
  for c: Cache do
    d.sharers[c] := false;
  end;
end;

procedure SetOwner(var d: Directory; c: Cache);
begin
  NoSharers(d);
  d.state := OWNED;
  d.owner := c;
end;

procedure SetUncached(var d: Directory);
begin
  NoSharers(d);
  d.state := UNCACHED;
  undefine d.owner;
end;

procedure AddSharer(var d: Directory; c: Cache);
begin
  d.state := SHARING;
  d.sharers[c] := true;
end;

-- The owner and a reader share the line.
procedure ShareWithOwner(var d: Directory; c: Cache);
begin
  d.sharers[d.owner] := true;
  AddSharer(d, c);
  undefine d.owner;
end;

procedure RemoveSharer(var d: Directory; c: Cache);
begin
  d.sharers[c] := false;
  if Sharers(d) = 0 then
    SetUncached(d);
  end;
end;

-- A transaction begins.
procedure Engage(var d: Directory; for_value: boolean);
begin
  d.busy := true;
  d.awaits_end := true;
  d.awaits_value := for_value;
end;

-- It is over when nothing is awaited.
procedure Release(var d: Directory);
begin
  if !d.awaits_end & !d.awaits_value then
    d.busy := false;
  end;
end;

-- Everybody who shares the line but the requester is told to drop it.
procedure InvalidateOthers(a: Address; r: Requester);
begin
  for c: Cache do
    if home[a].sharers[c] & c != r then
      Order(INVALIDATE, a, c, r);
    end;
  end;
end;

----------------------------------------------------------------------------
-- The home serves a request
----------------------------------------------------------------------------

procedure ServeRead(a: Address; c: Cache);
begin
  alias d: home[a] do
    switch d.state
      case UNCACHED:
        Tell(DATA_EXCLUSIVE, a, HOME, c, d.memory);
        SetOwner(d, c);
        Engage(d, false);
      case SHARING:
        Tell(DATA, a, HOME, c, d.memory);
        AddSharer(d, c);
        Engage(d, false);
      case OWNED:
        assert "the owner does not ask to read" d.owner != c;
        Order(FORWARD_SHARED, a, d.owner, c);
        ShareWithOwner(d, c);
        Engage(d, BUG != 1);
    end;
  end;
end;

procedure ServeWrite(a: Address; c: Cache);
  var others: Count;
begin
  alias d: home[a] do
    switch d.state
      case UNCACHED:
        Post(DATA_MODIFIED, a, HOME, c, undefined, d.memory, 0);
      case SHARING:
        others := OtherSharers(d, c);
        if d.sharers[c] then
          Post(GRANT, a, HOME, c, undefined, undefined, others);
        else
          Post(DATA_MODIFIED, a, HOME, c, undefined, d.memory, others);
        end;
        InvalidateOthers(a, c);
      case OWNED:
        assert "the owner does not ask to write" d.owner != c;
        Order(FORWARD_MODIFIED, a, d.owner, c);
    end;
    SetOwner(d, c);
    Engage(d, false);
  end;
end;

-- A line is given back. If it was asked for on the way, the home knows already.
procedure ServePut(a: Address; c: Cache; kind: Kind; value: Value);
begin
  alias d: home[a] do
    if d.state = OWNED & d.owner = c then
      assert "an owner gives all of it back" kind != PUT_SHARED;
      if kind = PUT_MODIFIED then
        d.memory := value;
      end;
      SetUncached(d);
    elsif d.sharers[c] then
      RemoveSharer(d, c);
    end;
    Say(PUT_DONE, a, HOME, c);
  end;
end;

procedure ServeDeviceRead(a: Address);
begin
  alias d: home[a] do
    if d.state = OWNED then
      Order(FORWARD_DEVICE, a, d.owner, DISK);
    else
      Tell(DATA, a, HOME, DISK, d.memory);
    end;
    Engage(d, false);
  end;
end;

-- All copies go; then the device says what it writes.
procedure ServeDeviceWrite(a: Address);
begin
  alias d: home[a] do
    switch d.state
      case UNCACHED:
        Post(GRANT, a, HOME, DISK, undefined, undefined, 0);
      case SHARING:
        Post(GRANT, a, HOME, DISK, undefined, undefined, Sharers(d));
        InvalidateOthers(a, DISK);
      case OWNED:
        Post(GRANT, a, HOME, DISK, undefined, undefined, 1);
        Order(INVALIDATE, a, d.owner, DISK);
    end;
    SetUncached(d);
    Engage(d, false);
  end;
end;

procedure Serve(m: Message);
begin
  switch m.kind
    case GET_SHARED:
      ServeRead(m.address, m.source);
    case GET_MODIFIED:
      ServeWrite(m.address, m.source);
    case PUT_SHARED, PUT_EXCLUSIVE, PUT_MODIFIED:
      ServePut(m.address, m.source, m.kind, m.value);
    case DEVICE_READ:
      ServeDeviceRead(m.address);
    case DEVICE_WRITE:
      ServeDeviceWrite(m.address);
    else
      error "this is no request";
  end;
end;

----------------------------------------------------------------------------
-- The home hears of a transaction
----------------------------------------------------------------------------

procedure HomeHears(m: Message);
begin
  alias d: home[m.address] do
    assert "the home is in a transaction" d.busy | BUG = 1;
    switch m.kind
      case FINISHED:
        d.awaits_end := false;
      case FINISHED_WRITE:
        d.memory := m.value;
        latest[m.address] := m.value;
        d.awaits_end := false;
      case SHARED_VALUE:
        d.memory := m.value;
        d.awaits_value := false;
      case SHARED_CLEAN:
        d.awaits_value := false;
      else
        error "the home does not expect this";
    end;
    Release(d);
  end;
end;

----------------------------------------------------------------------------
-- A cache hears
----------------------------------------------------------------------------

-- The requester has all that it asked for.
procedure Finish(a: Address; c: Cache; state: LineState);
begin
  Settle(line[c][a], state);
  Say(FINISHED, a, c, HOME);
end;

-- The last acknowledgement or the line itself came: is it all there?
procedure FinishWrite(a: Address; c: Cache);
begin
  alias l: line[c][a] do
    if l.state = COUNTING & (l.counted = l.needed | BUG = 2) then
      Finish(a, c, MODIFIED);
    end;
  end;
end;

procedure HearsData(m: Message; c: Cache);
begin
  alias l: line[c][m.address] do
    switch m.kind
      case DATA:
        assert "a reader gets a line to read" l.state = READING;
        l.value := m.value;
        Finish(m.address, c, SHARED);
      case DATA_EXCLUSIVE:
        assert "a reader gets a line of its own" l.state = READING;
        l.value := m.value;
        Finish(m.address, c, EXCLUSIVE);
      case DATA_MODIFIED:
        assert "a writer gets a line to write"
          l.state = WRITING | l.state = UPGRADING & BUG = 3;
        l.value := m.value;
        l.needed := m.count;
        l.state := COUNTING;
        FinishWrite(m.address, c);
      case GRANT:
        assert "who shares the line may write it" l.state = UPGRADING;
        l.needed := m.count;
        l.state := COUNTING;
        FinishWrite(m.address, c);
      else
        error "this is no line";
    end;
  end;
end;

procedure HearsInvalidated(m: Message; c: Cache);
begin
  alias l: line[c][m.address] do
    if BUG = 2 & isundefined(l.counted) then
      return;
    end;
    assert "acknowledgements are counted" !isundefined(l.counted);
    l.counted := l.counted + 1;
    FinishWrite(m.address, c);
  end;
end;

-- The owner answers a reader, and tells the home what it shares.
procedure HearsForwardShared(m: Message; c: Cache);
begin
  alias l: line[c][m.address] do
    assert "a reader is sent to the owner" IsOwner(l.state);
    Tell(DATA, m.address, c, m.requester, l.value);
    if IsChanged(l.state) then
      Tell(SHARED_VALUE, m.address, c, HOME, l.value);
    else
      Say(SHARED_CLEAN, m.address, c, HOME);
    end;
    BecomeSharer(l);
  end;
end;

procedure HearsForwardModified(m: Message; c: Cache);
begin
  alias l: line[c][m.address] do
    assert "a writer is sent to the owner" IsOwner(l.state);
    Post(DATA_MODIFIED, m.address, c, m.requester, undefined, l.value, 0);
    Drop(l);
  end;
end;

procedure HearsForwardDevice(m: Message; c: Cache);
begin
  alias l: line[c][m.address] do
    assert "the device is sent to the owner" IsOwner(l.state);
    Tell(DATA, m.address, c, DISK, l.value);
  end;
end;

procedure HearsInvalidate(m: Message; c: Cache);
begin
  alias l: line[c][m.address] do
    switch l.state
      case SHARED, GIVING_SHARED:
        Drop(l);
      case EXCLUSIVE, MODIFIED, GIVING_EXCLUSIVE, GIVING_MODIFIED:
        assert "only the device takes a line from its owner" m.requester = DISK;
        Drop(l);
      case UPGRADING:
        if BUG != 3 then
          undefine l.value;
          l.state := WRITING;
        end;
      else
        error "there is nothing to drop";
    end;
    Say(INVALIDATED, m.address, c, m.requester);
  end;
end;

-- The home has taken the line back, or knows that nothing was left.
procedure HearsPutDone(m: Message; c: Cache);
begin
  alias l: line[c][m.address] do
    assert "the home takes what is given" IsGiving(l.state);
    Forget(l);
  end;
end;

-- The home was busy: everything is as before the request, but for what has
-- been taken away since.
procedure HearsRefused(m: Message; c: Cache);
begin
  alias l: line[c][m.address] do
    switch l.state
      case READING, WRITING, GIVING_NOTHING:
        Forget(l);
      case UPGRADING, GIVING_SHARED:
        Settle(l, SHARED);
      case GIVING_EXCLUSIVE:
        Settle(l, EXCLUSIVE);
      case GIVING_MODIFIED:
        Settle(l, MODIFIED);
      else
        error "nothing was asked for";
    end;
  end;
end;

procedure CacheHears(m: Message; c: Cache);
begin
  switch m.kind
    case DATA, DATA_EXCLUSIVE, DATA_MODIFIED, GRANT:
      HearsData(m, c);
    case INVALIDATED:
      HearsInvalidated(m, c);
    case FORWARD_SHARED:
      HearsForwardShared(m, c);
    case FORWARD_MODIFIED:
      HearsForwardModified(m, c);
    case FORWARD_DEVICE:
      HearsForwardDevice(m, c);
    case INVALIDATE:
      HearsInvalidate(m, c);
    case PUT_DONE:
      HearsPutDone(m, c);
    case REFUSED:
      HearsRefused(m, c);
    else
      error "a cache does not expect this";
  end;
end;

----------------------------------------------------------------------------
-- The device hears
----------------------------------------------------------------------------

procedure Rest(var p: Port);
begin
  undefine p;
  p.state := IDLE;
end;

procedure FinishDevice(a: Address);
begin
  alias p: port[a] do
    if !isundefined(p.needed) then
      if p.counted = p.needed then
        Tell(FINISHED_WRITE, a, DISK, HOME, p.value);
        Rest(p);
      end;
    end;
  end;
end;

procedure DeviceHears(m: Message);
begin
  alias p: port[m.address] do
    switch m.kind
      case DATA:
        assert "the device gets what it reads" p.state = DEVICE_READING;
        Rest(p);
        Say(FINISHED, m.address, DISK, HOME);
      case GRANT:
        assert "the device may write" p.state = DEVICE_WRITING;
        p.needed := m.count;
        FinishDevice(m.address);
      case INVALIDATED:
        assert "the device waits for acknowledgements" p.state = DEVICE_WRITING;
        p.counted := p.counted + 1;
        FinishDevice(m.address);
      case REFUSED:
        Rest(p);
      else
        error "the device does not expect this";
    end;
  end;
end;

----------------------------------------------------------------------------
-- Rules: the processors
----------------------------------------------------------------------------

ruleset a: Address do
  ruleset c: Cache do
    alias l: line[c][a] do

      rule "read"
        l.state = INVALID
      ==>
      begin
        l.state := READING;
        Say(GET_SHARED, a, c, HOME);
      end;

      rule "write, without the line"
        l.state = INVALID
      ==>
      begin
        StartCounting(l, WRITING);
        Say(GET_MODIFIED, a, c, HOME);
      end;

      rule "write, with a line to read"
        l.state = SHARED
      ==>
      begin
        StartCounting(l, UPGRADING);
        Say(GET_MODIFIED, a, c, HOME);
      end;

      ruleset v: Value do
        rule "write"
          MayWrite(l.state)
        ==>
        begin
          l.state := MODIFIED;
          l.value := v;
          latest[a] := v;
        end;
      end;

      rule "give back a line to read"
        l.state = SHARED
      ==>
      begin
        l.state := GIVING_SHARED;
        Say(PUT_SHARED, a, c, HOME);
      end;

      rule "give back a line that was not changed"
        l.state = EXCLUSIVE
      ==>
      begin
        l.state := GIVING_EXCLUSIVE;
        Say(PUT_EXCLUSIVE, a, c, HOME);
      end;

      rule "give back a line that was changed"
        l.state = MODIFIED
      ==>
      begin
        l.state := GIVING_MODIFIED;
        Tell(PUT_MODIFIED, a, c, HOME, l.value);
      end;

    end;
  end;
end;

----------------------------------------------------------------------------
-- Rules: the device
----------------------------------------------------------------------------

ruleset a: Address do

  rule "the device reads"
    DEVICE = 1 & port[a].state = IDLE
  ==>
  begin
    port[a].state := DEVICE_READING;
    Say(DEVICE_READ, a, DISK, HOME);
  end;

  ruleset v: Value do
    rule "the device writes"
      DEVICE = 1 & port[a].state = IDLE
    ==>
    begin
      port[a].state := DEVICE_WRITING;
      port[a].value := v;
      port[a].counted := 0;
      Say(DEVICE_WRITE, a, DISK, HOME);
    end;
  end;

end;

----------------------------------------------------------------------------
-- Rules: the network
----------------------------------------------------------------------------

choose i: net do

  rule "the home serves"
    net[i].target = HOME & IsRequest(net[i].kind) & !home[net[i].address].busy
  ==>
    var m: Message;
  begin
    m := net[i];
    multisetremove(i, net);
    Serve(m);
  end;

  rule "the home refuses"
    NACKS = 1 &
    net[i].target = HOME & IsRequest(net[i].kind) & home[net[i].address].busy
  ==>
    var m: Message;
  begin
    m := net[i];
    multisetremove(i, net);
    Say(REFUSED, m.address, HOME, m.source);
  end;

  rule "the home hears"
    net[i].target = HOME & !IsRequest(net[i].kind)
  ==>
    var m: Message;
  begin
    m := net[i];
    multisetremove(i, net);
    HomeHears(m);
  end;

  rule "the device hears"
    net[i].target = DISK
  ==>
    var m: Message;
  begin
    m := net[i];
    multisetremove(i, net);
    DeviceHears(m);
  end;

  ruleset c: Cache do
    rule "a cache hears"
      net[i].target = c
    ==>
      var m: Message;
    begin
      m := net[i];
      multisetremove(i, net);
      CacheHears(m, c);
    end;
  end;

end;

----------------------------------------------------------------------------
-- At first nobody has anything
----------------------------------------------------------------------------

ruleset v: Value do
  startstate "nobody has a line"
  begin
    undefine net;
    for a: Address do
      latest[a] := v;
      undefine home[a];
      SetUncached(home[a]);
      home[a].memory := v;
      home[a].busy := false;
      home[a].awaits_end := false;
      home[a].awaits_value := false;
      Rest(port[a]);
      for c: Cache do
        Forget(line[c][a]);
      end;
    end;
  end;
end;

----------------------------------------------------------------------------
-- What must hold
----------------------------------------------------------------------------

invariant "one writer"
  forall a: Address; c: Cache; other: Cache do
    c != other & MayWrite(line[c][a].state) -> !MayRead(line[other][a].state)
  end;

invariant "every copy has the value that was written last"
  forall a: Address; c: Cache do
    MayRead(line[c][a].state) -> line[c][a].value = latest[a]
  end;

invariant "what an owner gives back has the value that was written last"
  forall a: Address; c: Cache do
    !home[a].busy & home[a].state = OWNED & line[c][a].state = GIVING_MODIFIED &
    home[a].owner = c -> line[c][a].value = latest[a]
  end;

invariant "memory has the value that was written last, if nobody owns the line"
  forall a: Address do
    !home[a].busy & home[a].state != OWNED -> home[a].memory = latest[a]
  end;

invariant "who may write is known to the directory"
  forall a: Address; c: Cache do
    !home[a].busy & MayWrite(line[c][a].state) -> home[a].state = OWNED & home[a].owner = c
  end;

invariant "who may read is known to the directory"
  forall a: Address; c: Cache do
    !home[a].busy & (line[c][a].state = SHARED | line[c][a].state = UPGRADING) ->
      home[a].state = SHARING & home[a].sharers[c]
  end;

invariant "a directory that owns has an owner and no sharers"
  forall a: Address do
    ((home[a].state = OWNED) = (!isundefined(home[a].owner))) &
    (home[a].state != SHARING -> Sharers(home[a]) = 0)
  end;

invariant "a line has a value if it can be read"
  forall a: Address; c: Cache do
    MayRead(line[c][a].state) -> !isundefined(line[c][a].value)
  end;

invariant "a home that is not busy waits for nothing"
  forall a: Address do
    home[a].busy = (home[a].awaits_end | home[a].awaits_value)
  end;

invariant "messages have what they need"
  multisetcount(i: net, HasValue(net[i].kind) = isundefined(net[i].value)) = 0;

invariant "a quiet address is in order"
  forall a: Address do
    Waiting(a) = 0 -> (!home[a].busy) & port[a].state = IDLE &
      forall c: Cache do
        (line[c][a].state = SHARED) = home[a].sharers[c]
      end
  end;
