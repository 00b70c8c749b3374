/** Stages, votes, memories and questions to a person. */
export const stages = () => ({})
