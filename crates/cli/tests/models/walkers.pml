/* Four walkers on a line of K places each: K^4 states, each of which can be left. */
#ifndef K
#define K 20
#endif
#ifndef FAR
#define FAR 1000
#endif
short sum;

active [4] proctype walker() {
    byte at;
    do
    :: atomic { at < K - 1 -> at++; sum++; assert(sum < FAR) }
    :: atomic { at > 0 -> at--; sum-- }
    od
}
