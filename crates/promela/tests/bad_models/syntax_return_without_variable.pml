inline answer() { return 42 }
init { answer() }
