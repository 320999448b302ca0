typedef Point { byte x; byte y };
Point p;
byte b;
init {
	b = p
}
