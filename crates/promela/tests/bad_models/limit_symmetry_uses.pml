//@ scalarset ID[3]: Leaf.x
typedef Leaf { byte x }
typedef T0 { Leaf a; Leaf b }
typedef T1 { T0 a; T0 b }
typedef T2 { T1 a; T1 b }
typedef T3 { T2 a; T2 b }
typedef T4 { T3 a; T3 b }
typedef T5 { T4 a; T4 b }
typedef T6 { T5 a; T5 b }
typedef T7 { T6 a; T6 b }
typedef T8 { T7 a; T7 b }
typedef T9 { T8 a; T8 b }
typedef T10 { T9 a; T9 b }
typedef T11 { T10 a; T10 b }
typedef T12 { T11 a; T11 b }
typedef T13 { T12 a; T12 b }
typedef T14 { T13 a; T13 b }
typedef T15 { T14 a; T14 b }
typedef T16 { T15 a; T15 b }
T16 all;
chan q = [1] of { T16 };
init { all.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.x = 1 }
