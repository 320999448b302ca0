chan q = [1] of { byte };
init {
	byte x;
	q!1;
	q?x+1
}
