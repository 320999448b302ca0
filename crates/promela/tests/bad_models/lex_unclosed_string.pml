init {
	printf("hello\n);
	skip
}
