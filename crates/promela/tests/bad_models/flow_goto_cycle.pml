init {
L:	goto M;
M:	goto L
}
