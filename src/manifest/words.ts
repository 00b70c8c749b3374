/** What `manifest find` looks through: an entry's title, topics, findings and open points. */
export const wordsOf = (body: string): string => {
  const { id, title, topics, key_findings, needs_followup, blocker } = JSON.parse(body) as Record<
    string,
    unknown
  >
  const parts = [id, title, topics, key_findings, needs_followup, blocker]
  return parts.flatMap(textsIn).join('\n')
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
