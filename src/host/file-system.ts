/**
 * Loads `node:fs`. Code that always needs files imports this file. Other files of this room load `node:fs` on first
 * use, with `process.getBuiltinModule`. On Bun, that call takes three times as many instructions as an import (8.2
 * million instead of 2.6 million). So loading on first use saves time only in code that rarely needs files.
 */
import 'node:fs'
