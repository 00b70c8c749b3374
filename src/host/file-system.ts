/**
 * Loads `node:fs`. Code that needs files in every run imports this file. Other files of this room load `node:fs` on
 * first use, with `process.getBuiltinModule`: on Bun, that call takes three times as many instructions as an import
 * (8.2 million instead of 2.6 million), so it saves time only if it is rarely made.
 */
import 'node:fs'
