const prefix = 'attempt '

/**
 * If a restore removes the last attempt at a task, this counter keeps the number of the attempt, so that no later spawn
 * gets the id of the removed spawn.
 */
export const attemptCounter = (task: string): string => prefix + task
