/**
 * Whether a driver still owns the run. Each start and each resume raises the epoch that is stored with the run. Every
 * write of a driver compares the stored epoch with its own, in the same transaction.
 */
export const drives = (own: number, stored: number): boolean => own === stored
