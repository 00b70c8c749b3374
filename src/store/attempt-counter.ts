const prefix = 'attempt '

/**
 * If a restore removes the last attempt at a task, a counter keeps the number of this attempt, so that no later spawn
 * gets the id of the removed spawn. Returns the name of the counter.
 */
export const attemptCounter = (task: string): string => prefix + task
