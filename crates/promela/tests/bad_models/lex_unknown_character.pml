init {
	int price = 3 €;
	skip
}
