active proctype P() { skip }
never {
	do
	:: _pid == 0
	od
}
