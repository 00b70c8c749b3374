const prefix = 'attempt '

/** The name of the counter that keeps the highest attempt at a task when a restore removes that attempt. */
export const attemptCounter = (task: string): string => prefix + task
