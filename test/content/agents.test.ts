import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { splitFrontMatter } from '../../src/markdown/front-matter.ts'
import { namesIn, read, tokens } from './files.ts'

interface Front {
  name: string
  description: string
  tools: string[]
  model: string
  skills?: string[]
}
const agentOf = (name: string): { front: Front; body: string } => {
  const divided = splitFrontMatter(read(`agents/${name}/AGENT.md`))
  if (!divided.ok) throw new Error(divided.why)
  return { front: parse(divided.frontMatter) as Front, body: divided.body }
}

describe('agent files', () => {
  test('[PROV-1] are the universal subagent and the orchestrator', () => {
    expect(namesIn('agents')).toEqual(['cleo-subagent', 'ct-orchestrator'])
  })

  test.each([
    ['cleo-subagent', ['Read', 'Write', 'Edit', 'Bash', 'WebFetch', 'WebSearch']],
    ['ct-orchestrator', ['Agent', 'Bash']],
  ])('[PROV-1] %s has its own name, the model of its parent and tools that exist', (name, tools) => {
    const { front, body } = agentOf(name)
    expect(front).toMatchObject({ name, model: 'inherit', tools })
    expect(front.description.length).toBeGreaterThan(50)
    expect(tokens(body)).toBeLessThan(300)
  })

  test('[PROV-1] the subagent lists no skills: its prompt brings them', () => {
    expect(agentOf('cleo-subagent').front.skills).toBeUndefined()
    expect(agentOf('ct-orchestrator').front.skills).toEqual(['ct-orchestrator'])
  })

  test('[PROV-1] the subagent must write its file and return one line, whatever clients tell it', () => {
    const body = agentOf('cleo-subagent').body.replace(/\s+/g, ' ')
    expect(body).toContain('the opposite holds')
    expect(body).toContain('The file it names and one manifest entry are what you deliver.')
    expect(body).toContain('Your last message is one line')
  })
})
