/* A base station that lends radio channels to senders and receivers.
 *
 * The protocol of base-station.pml with two differences: a mobile station either
 * sends or listens, and all communication goes through channels of Promela, of
 * which each radio channel is one. So there are two families of processes with
 * two independent symmetries. After the second model of "Symmetric Spin"
 * (Bosnacki, Dams, Holenderski 2002, table 5), of which the paper gives a
 * description in prose; this is a formulation of our own, so the counts are not
 * those of the table (9.0 million for two and two).
 * Checked: a message reaches the station that it is meant for.
 * BUG=1 frees a channel as soon as its sender has given it back.
 *
 * Parameters: S (default 2): number of sending stations
 * Parameters: R (default 2): number of receiving stations
 * Parameters: M (default 2): number of radio channels
 * Parameters: BUG (default 0): 1 frees channels too early
 * Expect: S=1 R=1: holds, 589 states
 * Expect: S=1 R=2: holds, 17953 states
 * Expect: default: holds, 387208 states
 * Expect: S=1 R=2, symmetry: holds, 8985 states
 * Expect: default, symmetry: holds, 99013 states
 * Expect: S=1 R=2 BUG=1: violated, assertion
 */

#ifndef S
#define S 2
#endif
#ifndef R
#define R 2
#endif
#ifndef M
#define M 2
#endif
#ifndef BUG
#define BUG 0
#endif

#define NOBODY 255
#define REFUSED 0       /* channels have the numbers 1 to M */

mtype = { send, listen, sent, heard };

chan base = [1] of { mtype, pid, pid, byte };   /* wish, from, for whom, which channel */
chan answer[S + R] = [1] of { byte };           /* a channel, or a refusal */
chan radio[M + 1] = [1] of { pid };             /* for whom a message is */

active [S] proctype Sender() {
    pid to = NOBODY;
    byte channel;

    do
    :: atomic {
            nfull(base) ->
            select(to : S .. S + R - 1);
            base ! send, _pid, to, 0
        };
        answer[_pid] ? channel;
        if
        :: channel != REFUSED ->
            radio[channel] ! to;
            base ! sent, _pid, NOBODY, channel
        :: channel == REFUSED
        fi;
        d_step { to = NOBODY; channel = 0 }
    od
}

active [R] proctype Receiver() {
    byte channel;

    do
    :: base ! listen, _pid, NOBODY, 0;
        answer[_pid] ? channel;
        if
        :: channel != REFUSED ->
            atomic {
                nempty(radio[channel]) ->
                assert(radio[channel] ? [eval(_pid)]);
                radio[channel] ? _
            };
            base ! heard, _pid, NOBODY, channel
        :: channel == REFUSED
        fi;
        channel = 0
    od
}

/* The first channel for which the condition holds, or a refusal. */
inline find(condition) {
    channel = M;
    do
    :: channel > 0 && !(condition) -> channel--
    :: else -> break
    od
}

active proctype BaseStation() {
    pid sender[M + 1] = NOBODY;         /* sender[c]: who sends on channel c .. */
    pid receiver[M + 1] = NOBODY;       /* .. to whom; it is free if nobody does */
    mtype wish;                         /* the rest is of no meaning between steps */
    pid from = NOBODY, to = NOBODY;
    byte channel;

    do
    :: d_step {
            base ? wish, from, to, channel ->
            if
            :: wish == send ->
                find(sender[channel] == NOBODY && receiver[channel] == NOBODY);
                answer[from] ! channel;
                if
                :: channel != REFUSED ->
                    sender[channel] = from;
                    receiver[channel] = to
                :: else
                fi
            :: wish == listen ->
                find(receiver[channel] == from);
                answer[from] ! channel
            :: wish == sent ->
                sender[channel] = NOBODY;
#if BUG
                receiver[channel] = NOBODY
#endif
            :: wish == heard ->
                receiver[channel] = NOBODY
            fi;
            wish = 0;
            from = NOBODY;
            to = NOBODY;
            channel = 0
        }
    od
}
