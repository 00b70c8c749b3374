/** A task is not finished, or what should prove it does not. */
export const evidence = () => ({})
