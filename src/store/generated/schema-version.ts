// Made by `npm run generate`. Do not edit.
/** The number of the newest migration, of either database. */
export const schemaVersion = 12
