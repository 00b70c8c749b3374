const prefix = 'attempt '

/**
 * Returns the name of the counter that holds the highest attempt at a task. A restore can remove the spawn with that
 * attempt, but keeps the counter, so that no later spawn gets the id of the removed one.
 */
export const attemptCounter = (task: string): string => prefix + task
