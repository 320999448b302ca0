byte count;
init {
	cont++
}
