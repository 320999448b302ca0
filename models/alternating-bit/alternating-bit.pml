/* The alternating bit protocol over channels that lose messages.
 *
 * The sender repeats an item with a bit until the same bit comes back; the
 * receiver acknowledges whatever it gets and keeps it only if the bit is the one
 * that it waits for. From Bartlett, Scantlebury and Wilkinson (1969). Checked:
 * items 0, 1, .., M-1, 0, .. arrive in this order, none twice, none left out.
 * BUG=1 lets the sender take any acknowledgement for the right one. (With M=2
 * that goes unnoticed: items one round apart look the same.)
 *
 * Parameters: K (default 2): capacity of each channel
 * Parameters: M (default 3): number of different items
 * Parameters: BUG (default 0): 1 ignores the bit of acknowledgements
 * Expect: K=1: holds, 534 states
 * Expect: default: holds, 1704 states
 * Expect: K=6: holds, 18840 states
 * Expect: BUG=1: violated, assertion
 * Group: default: 1
 */

#ifndef K
#define K 2
#endif
#ifndef M
#define M 3
#endif
#ifndef BUG
#define BUG 0
#endif

chan data = [K] of { bit, byte };       /* bit, item */
chan acks = [K] of { bit };

active proctype Sender() {
    bit current, acked;
    byte item;

    do
    :: data ! current, item             /* again and again, as after a timeout */
    :: acks ? acked ->
        d_step {
            if
            :: acked == current || BUG ->
                current = 1 - current;
                item = (item + 1) % M
            :: else
            fi;
            acked = 0
        }
    od
}

active proctype Receiver() {
    bit expected, got;
    byte item, wanted;

    do
    :: data ? got, item ->
        d_step {
            if
            :: got == expected ->
                assert(item == wanted);
                expected = 1 - expected;
                wanted = (wanted + 1) % M
            :: else                     /* a repetition: only acknowledge it */
            fi;
            item = 0
        };
        acks ! got;
        got = 0
    od
}

active proctype Noise() {
    do
    :: data ? _, _
    :: acks ? _
    od
}
