import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { shippedConfigDir } from '../../src/config/shipped.ts'
import { compileRules } from '../../src/trust/rules.ts'
import { builtinSections } from '../../src/wiring/capabilities.ts'
import { scratch } from '../support/store.ts'

/** What is complained of in a team's own rules: `line:column message`. */
async function complaints(text: string): Promise<string[]> {
  const directory = await scratch()
  await writeFile(join(directory, 'hitl_rules.yaml'), text)
  const loaded = loadConfig({ BOBBIN_CONFIG_DIR: directory }, directory, builtinSections)
  if (!('complaints' in loaded)) return []
  return loaded.complaints.map(({ file, line, column, message }) => {
    expect(file).toMatch(/hitl_rules\.yaml$/)
    return `${line}:${column} ${message}`
  })
}

const command = (line: string) => `commands:\n  - ${line}\n    risk: high\n    reason: No.\n    action: deny\n`

describe('an unusable pattern is reported with its place', () => {
  test.each<[what: string, text: string, place: string, message: RegExp]>([
    ['of programs', command("programs: [rm, '/(/']"), '2:20', /commands\.0\.programs\.1.*cannot be used/],
    ['of text', command("text: ['/[z-a]/']"), '2:12', /commands\.0\.text\.0/],
    ['of writes', command("writes: ['/a{2,1}/']"), '2:14', /commands\.0\.writes\.0/],
    ['of hosts', 'addresses:\n  - hosts: ["/*/"]\n    risk: low\n    reason: No.', '2:13', /addresses\.0\.hosts\.0/],
    ['everywhere', 'everywhere:\n  - pattern: "(a"\n    risk: low\n    reason: No.', '2:14', /everywhere\.0\.pattern/],
    ['of a tool’s allow', 'tools:\n  now:\n    allow: [a, "/?/"]', '3:16', /tools\.now\.allow\.1/],
    ['of a tool’s deny', 'tools:\n  now:\n    deny:\n      - "/)/"', '4:9', /tools\.now\.deny\.0/],
    ['that looks behind', 'tools:\n  now: { deny: ["/(?<=a)b/"] }', '2:17', /no look-around/],
    ['that refers back', 'tools:\n  now: { deny: ["/(a)\\\\1/"] }', '2:17', /no back-references/],
    ['that repeats too much', 'tools:\n  now: { deny: ["/(a{900}){900}/"] }', '2:17', /repeat/],
    ['that is too long', `tools:\n  now: { deny: ["/${'a'.repeat(1001)}/"] }`, '2:17', /1001 characters/],
    ['that is empty', 'tools:\n  now: { allow: [""] }', '2:18', /tools\.now\.allow\.0/],
    ['that is an empty list', 'tools:\n  now:\n    allow: []', '3:12', /tools\.now\.allow/],
  ])('%s', async (_, text, place, message) => {
    const told = await complaints(text)
    expect(told).toHaveLength(1)
    expect(told[0]).toMatch(new RegExp(`^${place} `))
    expect(told[0]).toMatch(message)
  })
})

describe('a rule that makes no sense is reported with its place', () => {
  const deciders = (rest: string) => `deciders:\n  team:\n    who: [anyone]\n${rest}`

  test.each<[what: string, text: string, message: RegExp]>([
    ['an action', 'defaults:\n  write: ask', /^2:10 .*defaults\.write/],
    ['a mode', 'tools:\n  now: { mode: sometimes }', /^2:16 .*tools\.now\.mode/],
    ['a risk', 'ask_from: huge', /^1:11 .*ask_from/],
    ['a check that allows', command('programs: [x]').replace('deny', 'allow'), /^5:13 .*commands\.0\.action/],
    ['an unknown key', 'tools:\n  now: { alow: [x] }', /^2:10 .*alow/],
    ['a word for people', 'deciders:\n  team: { who: [admins] }', /^2:17 .*must be asker, participants/],
    ['a group without a name', 'deciders:\n  team: { who: ["group:"] }', /^2:17 .*group:<id>/],
    ['nobody', 'deciders:\n  team: { who: [] }', /^2:16 .*deciders\.team\.who/],
    ['a quorum of none', deciders('    needed: 0'), /^4:13 .*needed/],
    ['a time in seconds', deciders('    remind_ms: 60'), /^4:16 .*remind_ms/],
    ['a decider that is not there', 'decide: { high: owners }', /^1:17 .*no decider "owners"; there are: team/],
    ['one for a tool', 'tools:\n  now: { decider: owners }', /^2:19 .*no decider "owners"/],
    ['one to turn to', deciders('    next: { after_ms: 1000, decider: toString }'), /^4:38 .*no decider "toString"/],
    ['a host with a path', command('hosts: [a.example/x]'), /^2:13 .*commands\.0\.hosts\.0/],
    ['how long content counts', 'untrusted: { action: deny, lasts: day }', /^1:35 .*untrusted\.lasts/],
  ])('%s', async (_, text, message) => {
    const told = await complaints(text)
    expect(told).toEqual(expect.arrayContaining([expect.stringMatching(message)]))
  })
})

test('the shipped rules are valid', () => {
  const loaded = loadConfig({ BOBBIN_CONFIG_DIR: shippedConfigDir }, shippedConfigDir, builtinSections)
  if ('complaints' in loaded) throw new Error(JSON.stringify(loaded.complaints))
  const rules = compileRules(loaded.config.rules)
  expect(rules.commands).toHaveLength(loaded.config.rules.commands.length)
  expect(rules.tools.get('run_command')?.allow.some(({ fits }) => fits('ls -l'))).toBe(true)
  expect(rules.everywhere.some(({ pattern }) => pattern.expression.matcher('x DROP TABLE y').find())).toBe(true)
})
