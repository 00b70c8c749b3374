const prefix = 'attempt '

/**
 * Returns the name of the counter that holds the highest attempt at a task. A restore can remove the spawn with that
 * attempt. The counter stays, so that the next spawn does not get the same id.
 */
export const attemptCounter = (task: string): string => prefix + task
