/** What a subagent handed in is not there, or not in order. */
export const manifest = () => ({})
