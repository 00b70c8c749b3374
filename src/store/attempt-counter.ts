const prefix = 'attempt '

/**
 * Returns the name of the counter that holds the highest attempt at a task. A restore can remove that attempt, but
 * the counter stays.
 */
export const attemptCounter = (task: string): string => prefix + task
