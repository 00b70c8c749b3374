import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import { type Place, partsFor } from '../../src/clients/client-parts.ts'
import { jsonValue, parseJson } from '../../src/clients/json-text.ts'
import { type JsonWritten, mergeJson, removeJson } from '../../src/clients/merge-json.ts'
import { mergeToml, removeToml, type TomlWritten } from '../../src/clients/merge-toml.ts'
import type { JsonValue } from '../../src/clients/part.ts'
import { clientNames } from '../../src/kernel/client-names.ts'
import fc, { runs } from '../support/properties.ts'

const place: Place = {
  scope: 'project',
  root: '/project',
  home: '/home/ada',
  worktrees: '/home/ada/.local/state/cleo/0f3e4415f704/worktrees',
  ports: '/home/ada/.local/state/cleo/ports',
  read: ['/project/.cleo/spawns'],
  hasRepository: true,
  readText: () => undefined,
}
const parts = (await Promise.all(clientNames.map((name) => partsFor(name, place)))).flat()
const jsonParts = parts.filter((part) => part.kind === 'json')
const tomlPart = parts.find((part) => part.kind === 'toml')!

const blank = fc.constantFrom('', ' ', '\n', '\n  ', '\r\n\t', ' /* c , } */ ', ' // , ] x\n')
// Most are keys that clients use, so that entries of CLEO and of the user often get the same keys.
const key = fc.constantFrom(
  ...['mcpServers', 'permissions', 'hooks', 'context', 'allow', 'SessionStart', 'Stop', 'cleo'],
  ...['includeDirectories', 'policyPaths', 'version', 'mcp', 'b"x', 'é', ''],
)
const scalar = fc.constantFrom('1', 'true', 'null', '"x"', '"// no"', '"a,b]"', '-1.5e3', '""')

const list = (item: fc.Arbitrary<string>, open: string, close: string) =>
  fc
    .tuple(fc.array(fc.tuple(blank, item, blank), { maxLength: 4 }), blank, fc.boolean())
    .map(([items, end, comma]) => {
      const inner = items.map((each) => each.join('')).join(',')
      return `${open}${inner}${comma && items.length > 0 ? ',' : ''}${end}${close}`
    })

const { object } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, scalar, tie('object'), list(tie('value'), '[', ']')),
  object: fc
    .tuple(
      fc.uniqueArray(key, { maxLength: 4 }),
      fc.array(tie('value'), { minLength: 4, maxLength: 4 }),
      blank,
    )
    .chain(([keys, values, between]) => {
      const properties = keys.map((each, i) => `${JSON.stringify(each)}${between}:${values[i]}`)
      return fc
        .tuple(fc.array(blank, { minLength: 5, maxLength: 5 }), fc.boolean())
        .map(
          ([blanks, comma]) =>
            `{${properties.map((each, i) => blanks[i] + each).join(',')}${comma && keys.length > 0 ? ',' : ''}${blanks[4]}}`,
        )
    }),
}))

const meaning = (text: string): JsonValue => {
  const parsed = parseJson(text)
  if (!parsed.ok) throw new Error(`${parsed.why}: ${text}`)
  return jsonValue(parsed.root)
}

test('[PROV-2] any JSON is the same again after set-up and undo, also if a key was added in between', () => {
  let merges = 0
  fc.assert(
    fc.property(fc.constantFrom(...jsonParts), fc.constantFrom('', '\uFEFF'), object, (part, mark, text) => {
      const merged = mergeJson(part, mark + text, [], [])
      if (!merged.ok) {
        expect(merged.why).not.toContain('cannot be changed')
        return
      }
      merges++
      const written = merged.written as JsonWritten[]
      expect(mergeJson(part, merged.text, written, written)).toMatchObject({ ok: true, text: merged.text })
      const before = meaning(text)
      expect(removeJson(merged.text, written).kept).toEqual([])
      expect(meaning(removeJson(merged.text, written).text)).toEqual(before)
      const comma = Object.keys(meaning(merged.text) as object).length > 0 ? ', // mine\n' : ''
      const edited = merged.text.replace('{', `{"mine": {"cleo": [1]}${comma}`)
      expect(meaning(removeJson(edited, written).text)).toEqual({
        ...(before as object),
        mine: { cleo: [1] },
      })
    }),
    { numRuns: runs(1500) },
  )
  expect(merges).toBeGreaterThan(100)
})

const tomlLine = fc.constantFrom(
  ...['model = "x"', '# [sandbox_workspace_write]', '[tui]', '[[profiles]]', '', 'network_access = true'],
  ...['[sandbox_workspace_write]', '[ sandbox_workspace_write ] # mine', '["sandbox_workspace_write"]'],
  ...['writable_roots = []', 'writable_roots = [ "/x", ]', '"writable_roots" = ["/q"]'],
  ...['writable_roots = [\n  "/x", # c ]\n  "/y"\n]', '[profiles.x.sandbox_workspace_write]'],
  ...['sandbox_workspace_write.network_access = true', 'sandbox_workspace_write = { network_access = true }'],
  ...['[mcp_servers]', '[mcp_servers.other]', '[mcp_servers.cleo]', 'cleo = { command = "mine" }'],
  ...['a = """\n[sandbox_workspace_write]\nwritable_roots = []\n"""', "b = '''\n]\n'''"],
)

test('[PROV-2] any TOML is the same again after set-up and undo, also if a key was added in between', () => {
  let merges = 0
  fc.assert(
    fc.property(fc.array(tomlLine, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'), (lines, eol) => {
      const text = lines.map((line) => `${line}\n`.replaceAll('\n', eol)).join('')
      let before: unknown
      try {
        before = parse(`mine = 1\n${text}`)
      } catch {
        return
      }
      const merged = mergeToml(tomlPart, text, [])
      if (!merged.ok) return
      merges++
      const written = merged.written as TomlWritten[]
      expect(mergeToml(tomlPart, merged.text, written)).toMatchObject({ ok: true, text: merged.text })
      expect(parse(removeToml(`mine = 1\n${merged.text}`, written).text)).toEqual(before)
    }),
    { numRuns: runs(1500) },
  )
  expect(merges).toBeGreaterThan(100)
})
