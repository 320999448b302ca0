/* A distributed lock: a token that travels along pointers.
 *
 * Every process points at whom it takes for the last in line. To get the token it
 * sends a request there and points at itself; a request is passed on from
 * pointer to pointer, and whoever passes it on points at the sender from then on.
 * The last in line remembers who comes next, or gives the token away if it does
 * not need it. From Naimi, Trehel and Arnold (1996). At the start anybody may
 * have the token, so that nobody is special. The numbers of processes are plain
 * bytes, given out by init, in variables, messages and as an index; a scalarset is
 * declared for them. Checked: one process at a time in the critical section, and
 * nothing gets stuck.
 * BUG=1 lets a process give the token away before it has left.
 *
 * The counts include one state before init has started the processes.
 *
 * Parameters: N (default 3): number of processes
 * Parameters: BUG (default 0): 1 gives the token away too early
 * Expect: N=2: holds, 21 states
 * Expect: N=3: holds, 325 states
 * Expect: N=4: holds, 8321 states
 * Expect: N=5: holds, 302341 states
 * Expect: N=2, symmetry: holds, 11 states
 * Expect: N=3, symmetry: holds, 57 states
 * Expect: N=4, symmetry: holds, 361 states
 * Expect: N=5, symmetry: holds, 2621 states
 * Expect: BUG=1: violated, assertion, 805 states
 * Group: N=3: 6
 * Group: N=4: 24
 */

#ifndef N
#define N 3
#endif
#ifndef BUG
#define BUG 0
#endif

#define NOBODY 255

/* Where the numbers of processes are: names, and nothing more. */
//@ scalarset ID[N]: Process.me, Process.last, Process.next, Process.who, init.first, inbox[ID] {_, ID}

mtype = { request, token, idle, waiting, inside };

chan inbox[N] = [N] of { mtype, byte };         /* what, and for a request: for whom */
byte critical;          /* how many processes are in the critical section */

proctype Process(byte me, last) {
    mtype phase = idle;
    bool owner = (last == me);  /* has the token */
    byte next = NOBODY;         /* who gets the token after this process */
    byte who = NOBODY;          /* whose request is being read; nobody between steps */

    do
    :: atomic {
            phase == idle ->
            phase = waiting;
            if
            :: last != me -> inbox[last] ! request, me; last = me
            :: else     /* the last to have had it still has it */
            fi
        }
    :: d_step {
            phase == waiting && owner ->
            phase = inside;
            critical++;
            assert(critical == 1)
        }
    :: atomic {
            phase == inside ->
            phase = idle;
            critical--;
            if
            :: next != NOBODY ->
                owner = false;
                inbox[next] ! token, NOBODY;
                next = NOBODY
            :: else
            fi
        }
    :: atomic {
            inbox[me] ? request, who ->
            if
            :: last != me -> inbox[last] ! request, who
#if BUG
            :: last == me && owner ->
#else
            :: last == me && owner && phase == idle ->
#endif
                owner = false;
                inbox[who] ! token, NOBODY
            :: else -> next = who
            fi;
            last = who;
            who = NOBODY
        }
    :: atomic { inbox[me] ? token, _ -> owner = true }
    od
}

init {
    byte p, first;
    atomic {
        select(first : 0 .. N - 1);
        for (p : 0 .. N - 1) {
            run Process(p, first)
        }
        first = NOBODY
    }
}
