/* Two senders and a mailbox. A property of one's own is stated on the command line. */
#define FILLED len(box) == 2

chan box = [2] of { byte };

proctype Sender(byte letter) {
    byte sent;
want:
    box!letter;
    sent = 1
}

init {
    run Sender(1);
    run Sender(2)
}

ltl first { [] (len(box) <= 1) }
