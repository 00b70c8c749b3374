/**
 * Whether a driver still owns the run. The store has an epoch for each run, and each resume raises the epoch. Every
 * write of a driver compares the stored epoch with the driver's own in the same transaction, so that a replaced driver
 * writes nothing.
 */
export const drives = (own: number, stored: number): boolean => own === stored
