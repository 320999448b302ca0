# Makes gap.txt, the answers that tests/gap.rs compares with. Run with GAP 4.12 and its packages
# transgrp and primgrp:
#
#     gap -q -T gap.g < /dev/null > gap.txt
#
# Points are written from 0. A record is a block of "key: value" lines that starts with "group:".

LoadPackage("transgrp");;
LoadPackage("primgrp");;
SizeScreen([100000, 24]);;
Reset(GlobalMersenneTwister, 20240601);;

FromZero := points -> List(points, p -> p - 1);
JoinedWords := list -> JoinStringsWithSeparator(List(list, String), " ");
JoinedRows := lists -> JoinStringsWithSeparator(List(lists, JoinedWords), " | ");
PrintLine := function(key, value) Print(key, ": ", value, "\n"); end;

# Random colours 0..k-1 for the points.
Colours := function(n, k) return List([1 .. n], i -> Random([0 .. k - 1])); end;

ColouringStabiliser := function(G, colours)
  local colour;
  for colour in Set(colours) do
    G := Stabilizer(G, Positions(colours, colour), OnSets);
  od;
  return G;
end;

PrintRecord := function(name, G, n)
  local moved, orbit, points, set, colours, p;
  PrintLine("group", name);
  PrintLine("degree", n);
  PrintLine("generators", JoinedRows(List(GeneratorsOfGroup(G), g -> FromZero(ListPerm(g, n)))));
  PrintLine("order", Size(G));
  PrintLine("orbits", JoinedRows(List(Set(List(Orbits(G, [1 .. n]), Set)), FromZero)));
  PrintLine("transitive", IsTransitive(G, [1 .. n]));
  moved := MovedPoints(G);
  if moved <> [] then
    orbit := Set(Orbit(G, moved[1]));
    if Length(orbit) > 1 then
      PrintLine("blocks", JoinedRows(List(Set(List(Filtered(
        RepresentativesMinimalBlocks(G, orbit), b -> Length(b) < Length(orbit)), Set)), FromZero)));
    fi;
    points := List([1 .. 3], i -> Random([1 .. n]));
    PrintLine("stabilised", JoinedWords(FromZero(points)));
    PrintLine("stabilisers", JoinedWords(List([1 .. 3], i -> Size(Stabilizer(G, points{[1 .. i]}, OnTuples)))));
    set := Set(List([1 .. Minimum(n, 5)], i -> Random([1 .. n])));
    PrintLine("set", JoinedWords(FromZero(set)));
    PrintLine("set_stabiliser", Size(Stabilizer(G, set, OnSets)));
    colours := Colours(n, 3);
    PrintLine("colours", JoinedWords(colours));
    PrintLine("colouring_stabiliser", Size(ColouringStabiliser(G, colours)));
    if n <= 24 and Size(G) <= 10 ^ 6 then
      p := Random(SymmetricGroup(n));
      PrintLine("conjugator", JoinedWords(FromZero(ListPerm(p, n))));
      PrintLine("intersection", Size(Intersection(G, G ^ p)));
    fi;
  fi;
  Print("\n");
end;

# The same group with its points in random places.
Disguised := function(name, G, n)
  PrintRecord(name, G ^ Random(SymmetricGroup(n)), n);
end;

# The symmetries of the hypercube on its corners.
Hypercube := function(d)
  local corner, flip, swap;
  corner := x -> List([0 .. d - 1], i -> QuoInt(x, 2 ^ i) mod 2);
  flip := List([1 .. d], i -> PermList(List([0 .. 2 ^ d - 1],
    x -> 1 + x + (1 - 2 * corner(x)[i]) * 2 ^ (i - 1))));
  swap := List([1 .. d - 1], i -> PermList(List([0 .. 2 ^ d - 1],
    x -> 1 + x + (corner(x)[i + 1] - corner(x)[i]) * 2 ^ (i - 1)
               + (corner(x)[i] - corner(x)[i + 1]) * 2 ^ i)));
  return Group(Concatenation(flip, swap));
end;

# G acting on its natural points and on k-subsets of them.
WithSubsets := function(G, n, k)
  local hom;
  hom := ActionHomomorphism(G, Concatenation(List([1 .. n], i -> [i]), Combinations([1 .. n], k)), OnSets);
  return Image(hom);
end;

for n in Concatenation([2 .. 10], [20, 40]) do Disguised(Concatenation("S", String(n)), SymmetricGroup(n), n); od;
for n in Concatenation([3 .. 10], [20, 40]) do Disguised(Concatenation("A", String(n)), AlternatingGroup(n), n); od;
for n in Concatenation([2 .. 12], [30]) do Disguised(Concatenation("C", String(n)), CyclicGroup(IsPermGroup, n), n); od;
for n in Concatenation([3 .. 12], [30]) do Disguised(Concatenation("D", String(n)), DihedralGroup(IsPermGroup, 2 * n), n); od;

for ab in [[2, 2], [2, 3], [3, 2], [2, 4], [3, 3], [4, 3], [2, 8], [3, 6], [5, 4]] do
  Disguised(Concatenation("S", String(ab[1]), " wr S", String(ab[2])),
    WreathProduct(SymmetricGroup(ab[1]), SymmetricGroup(ab[2])), ab[1] * ab[2]);
  Disguised(Concatenation("C", String(ab[1]), " wr C", String(ab[2])),
    WreathProduct(CyclicGroup(IsPermGroup, ab[1]), CyclicGroup(IsPermGroup, ab[2])), ab[1] * ab[2]);
od;
Disguised("(S2 wr S2) wr S3", WreathProduct(WreathProduct(SymmetricGroup(2), SymmetricGroup(2)), SymmetricGroup(3)), 12);
Disguised("A4 wr S3", WreathProduct(AlternatingGroup(4), SymmetricGroup(3)), 12);
Disguised("S3 wr D5", WreathProduct(SymmetricGroup(3), DihedralGroup(IsPermGroup, 10)), 15);

for d in [2 .. 6] do Disguised(Concatenation("hypercube ", String(d)), Hypercube(d), 2 ^ d); od;

Disguised("M11", MathieuGroup(11), 11);
Disguised("M12", MathieuGroup(12), 12);
Disguised("M22", MathieuGroup(22), 22);
Disguised("M23", MathieuGroup(23), 23);
Disguised("M24", MathieuGroup(24), 24);
for n in [5 .. 17] do
  for i in Filtered([1 .. NrPrimitiveGroups(n) - 2], i -> i <= 3) do
    Disguised(Concatenation("primitive ", String(n), " ", String(i)), PrimitiveGroup(n, i), n);
  od;
od;
for nd in [[8, 6], [9, 4], [10, 5], [12, 12], [16, 6], [18, 4]] do
  for i in [1 .. nd[2]] do
    j := Random([1 .. NrTransitiveGroups(nd[1])]);
    Disguised(Concatenation("transitive ", String(nd[1]), " ", String(j)), TransitiveGroup(nd[1], j), nd[1]);
  od;
od;

for abc in [[2, 2, 3], [3, 4, 5], [3, 3, 3], [6, 2, 4]] do
  Disguised(Concatenation("S", String(abc[1]), " x C", String(abc[2]), " x D", String(abc[3])),
    DirectProduct(SymmetricGroup(abc[1]), CyclicGroup(IsPermGroup, abc[2]), DihedralGroup(IsPermGroup, 2 * abc[3])), Sum(abc));
od;
for n in [4 .. 7] do
  Disguised(Concatenation("S", String(n), " and pairs"), WithSubsets(SymmetricGroup(n), n, 2), n + Binomial(n, 2));
  Disguised(Concatenation("A", String(n), " and pairs"), WithSubsets(AlternatingGroup(n), n, 2), n + Binomial(n, 2));
od;
for ab in [[3, 3], [4, 4], [5, 3]] do
  s := DirectProduct(SymmetricGroup(ab[1]), SymmetricGroup(ab[2]));
  Disguised(Concatenation("S", String(ab[1]), " and S", String(ab[2]), " with equal signs"),
    Intersection(s, AlternatingGroup(ab[1] + ab[2])), ab[1] + ab[2]);
od;
for k in [1 .. 30] do
  n := Random([5 .. 18]);
  G := WreathProduct(SymmetricGroup(Random([2 .. 3])), SymmetricGroup(Random([2 .. 6])));
  G := Group(List([1 .. Random([1 .. 3])], i -> Random(G)));
  n := LargestMovedPoint(G) + Random([0 .. 3]);
  if n = 0 then n := 4; fi;
  Disguised(Concatenation("random ", String(k)), G, n);
od;
for k in [1 .. 20] do
  n := Random([5 .. 16]);
  G := Group(List([1 .. Random([1 .. 3])], i -> Product([1 .. Random([1 .. 2])],
    j -> (1, 2) ^ Random(SymmetricGroup(n)))));
  Disguised(Concatenation("sparse ", String(k)), G, n);
od;
QUIT;
