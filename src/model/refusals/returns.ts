/** What came back from a subagent cannot be taken. */
export const returns = () => ({})
