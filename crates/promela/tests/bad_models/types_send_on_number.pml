byte q;
init {
	q!1
}
