/* Who is the head of the list is asked twice. */
process count = 3;
global pointer head;
local pointer next;
mode out true {
  when head == NULL may head = P; goto in;
  when head != NULL may next = head; head = P; goto in;
}
mode in true {
  when next != NULL may next = next->next; goto alone;
}
mode alone true {
  when true may ;
}
initially forall i: out[i] and head == NULL;
risk exists i, j: i < j and alone[i] and alone[j];
