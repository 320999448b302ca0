chan q = [1] of { byte };
init {
	(empty(q) == true) -> q!1
}
