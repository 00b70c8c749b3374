const prefix = 'attempt '

/** The counter that keeps the highest attempt at a task which a restore would otherwise forget. */
export const attemptCounter = (task: string): string => prefix + task
