chan q = [1] of { byte };
active proctype P() { skip }
never {
	q!1
}
