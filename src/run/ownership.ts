/**
 * Whether a driver still owns the run. The store has an epoch for each run, and each resume raises the epoch. A driver
 * compares the stored epoch with its own epoch in the transaction of every write. So a replaced driver writes nothing.
 */
export const drives = (own: number, stored: number): boolean => own === stored
