/** A project that is not well. */
export const doctor = () => ({})
