/* A base station that lends radio channels to mobile stations.
 *
 * A station that has something to say to another asks the base station for a
 * channel; a station that is ready to listen asks whether there is one for it. With
 * a channel the sender sends, the receiver takes the message, and both give the
 * channel back; it is free again when both have. Requests, answers and
 * channels are global variables, and the base station hears one station at a time.
 * After the first model of the MASCARA protocol in "Symmetric Spin" (Bosnacki, Dams,
 * Holenderski 2002, table 4), of which the paper gives a description in prose; this
 * is a formulation of our own, so the counts are not those of the table (15621 for
 * N=2). Checked: a message reaches the station that it is meant for.
 * BUG=1 frees a channel as soon as its sender has given it back.
 *
 * Parameters: N (default 2): number of mobile stations, at least 2
 * Parameters: M (default 2): number of radio channels
 * Parameters: BUG (default 0): 1 frees channels too early
 * Expect: N=2: holds, 2116 states
 * Expect: N=3: holds, 70501 states
 * Expect: N=2, symmetry: holds, 1060 states
 * Expect: N=3, symmetry: holds, 11933 states
 * Expect: N=2 BUG=1: violated, assertion, 2940 states
 */

#ifndef N
#define N 2
#endif
#ifndef M
#define M 2
#endif
#ifndef BUG
#define BUG 0
#endif

#define NOBODY 255
#define NOTHING 0       /* no channel; channels have the numbers 1 to M */
#define REFUSED 255     /* the answer of the base station if it has no channel */

mtype = { send, listen, sent, heard };

/* What a station asks of the base station, one station at a time. */
pid asker = NOBODY;
mtype wish;
pid addressee = NOBODY; /* of a wish to send */
byte returned;          /* the channel that is given back */

byte answer[N];                 /* answer[s]: what the base station says to station s */
pid sender[M + 1] = NOBODY;     /* sender[c]: who sends on channel c .. */
pid receiver[M + 1] = NOBODY;   /* .. and who listens; it is free if nobody does */
pid air[M + 1] = NOBODY;        /* air[c]: for whom the message on channel c is */

/* Hear the answer: a channel, or none. */
inline await() {
    d_step {
        answer[_pid] != NOTHING ->
        channel = answer[_pid];
        answer[_pid] = NOTHING
    }
}

inline giveBack(what) {
    d_step {
        asker == NOBODY ->
        asker = _pid;
        wish = what;
        returned = channel;
        channel = NOTHING
    }
}

active [N] proctype Station() {
    byte channel;

again:
    do
    :: atomic {         /* there is something to say to somebody else */
            asker == NOBODY ->
            select(addressee : 0 .. N - 1);
            if
            :: addressee != _pid -> asker = _pid; wish = send
            :: else -> addressee = NOBODY; goto again
            fi
        };
        await();
        if
        :: channel != REFUSED ->
            d_step { air[channel] = receiver[channel] };
            giveBack(sent)
        :: channel == REFUSED ->
            channel = NOTHING
        fi
    :: d_step {         /* is there anything to hear? */
            asker == NOBODY ->
            asker = _pid;
            wish = listen
        };
        await();
        if
        :: channel != REFUSED ->
            d_step {
                air[channel] != NOBODY ->
                assert(air[channel] == _pid);
                air[channel] = NOBODY
            };
            giveBack(heard)
        :: channel == REFUSED ->
            channel = NOTHING
        fi
    od
}

/* The first channel for which the condition holds, or one too many. */
inline find(condition) {
    channel = 1;
    do
    :: channel <= M && !(condition) -> channel++
    :: else -> break
    od
}

inline reply() {
    if
    :: channel <= M -> answer[asker] = channel
    :: else -> answer[asker] = REFUSED
    fi
}

inline forget() {
    asker = NOBODY;
    wish = 0;
    addressee = NOBODY;
    returned = NOTHING;
    channel = NOTHING
}

active proctype BaseStation() {
    byte channel;       /* of no meaning between steps */

    do
    :: d_step {
            wish == send ->
            find(sender[channel] == NOBODY && receiver[channel] == NOBODY);
            reply();
            if
            :: channel <= M ->
                sender[channel] = asker;
                receiver[channel] = addressee
            :: else
            fi;
            forget()
        }
    :: d_step {
            wish == listen ->
            find(receiver[channel] == asker);
            reply();
            forget()
        }
    :: d_step {
            wish == sent ->
            sender[returned] = NOBODY;
#if BUG
            receiver[returned] = NOBODY;
#endif
            forget()
        }
    :: d_step {
            wish == heard ->
            receiver[returned] = NOBODY;
            forget()
        }
    od
}
