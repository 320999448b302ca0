-- Every construct of the language, in the spellings of both tools.
/* Both kinds
 * of comments. */
const
  N: 3;
  LAST: N - 1
  DEBUG: false;

type
  Node: scalarset(N);
  Home: scalarset(1);
  Any: union {Node, Home};
  State: enum { Idle, Busy, Done, };
  Index: 0 .. LAST;
  Message: record
    kind: State;
    source, target: Any;
  endrecord;
  Net: multiset [N] of Message;

var
  state: array [Node] of State;
  count: Index;
  flag, other: boolean;
  owner: Any;
  net: array [Any] of Net;
  grid: array [Index] of array [boolean] of 0x0 .. 0x0f;

procedure send(kind: State; source, target: Any; var total: Index);
var
  message: Message;
begin
  assert multisetcount(i: net[target], true) < N "no room";
  message.kind := kind;
  message.source := source;
  message.target := target;
  MultiSetAdd(message, net[target]);
  total := (total + 1) % N;
endprocedure;

function free(node: Node): boolean;
  alias s: state[node] do
    switch s
    case Idle, Done: return true;
    else
      return false;
    endswitch;
  endalias;
endfunction

ruleset home: Home do
  startstate "start"
    undefine net;
    for n: Node; dummy := 0 to 0 do state[n] := Idle; endfor;
    clear count; flag := DEBUG; other := true;
    owner := home;
  endstartstate
end;

ruleset n: Node; turn: boolean do
  rule “ask” free(n) & turn ⇒
    var old: State;
  begin
    old := state[n];
    if old = Idle then
      state[n] := Busy;
      send(old, n, owner, count);
    elsif old ≠ Done then
      error "cannot be";
    else
      put "done "; put state[n]; put count * 2;
    end;
    while count > 0 & !flag do count := count − 1; flag := other ? true : false; end;
  endrule;

  choose i: net[n] do
    alias message: net[n][i]; target: message.target do
      rule "receive" message.kind = Idle ==>
        if ismember(target, Node) & !isundefined(owner) then owner := undefined; end;
        multisetremovepred(j: net[target], net[target][j].kind = Done);
        multisetremove(i, net[n]);
        for k := count to 0 by -1 do grid[k][turn] := (1 << k) | (3 & ~0) ^ 1; end;
        return;
      end;
    end;
  endchoose;
endruleset

rule "step"
  forall x: Index do exists y: boolean do grid[x][y] >= 0 -> flag end end
==>
  flag := !flag;
  assume "small" count <= LAST;
  cover flag;
end

invariant "exclusive" forall a: Node; b: Node do state[a] = Busy && state[b] = Busy -> a = b end;
assert flag || other "one of them"
assume true
cover "busy" exists a: Node : state[a] = Busy endexists;
liveness "comes back" exists a: Node do state[a] = Idle end;
