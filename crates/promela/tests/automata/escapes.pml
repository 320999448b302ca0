/* unless zoo */
byte x; chan q = [1] of {byte};
inline f(a) { do :: a > 3 -> break :: a++ od }
proctype P(byte n) {
  byte i;
L1: { x = 1; x = 2 } unless { x == 3 -> x = 4 };
  atomic { x++ ; if :: x == 2 -> goto L2 :: else -> skip fi; q!1 } unless { q?_ };
  do :: { x = 1 unless x == 7 } :: (x == 3) unless { (x == 9) -> break } od unless { timeout -> x = 0; goto L1 };
  { { x = 5; i = 1 } unless { x == 6; x = 7 } } unless { x == 8 };
L2: f(i); f(x);
  if :: x == 1; end3: x = 2; progress: skip :: goto L2 fi;
  d_step { x = 1; if :: x == 1 -> x = 2 :: else -> skip fi } unless { x == 4 };
  atomic { atomic { x = 1 } ; d_step { x = 3; x = 4 } };
accept5: do :: x++ ; printf("a"); skip; skip; x-- :: break :: if :: x > 3 :: x < 3 -> break fi od;
end_x: goto L1
}
init { atomic { run P(1); run P(2) } }
