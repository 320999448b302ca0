init {
L:	skip;
L:	skip
}
