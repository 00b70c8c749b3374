// A program that does nothing. The bench compares commands with it.
