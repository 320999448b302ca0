typedef Point { byte x; byte y };
Point p;
init {
	p.z = 1
}
