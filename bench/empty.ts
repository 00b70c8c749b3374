// What a command is measured against: a program that does nothing.
