import { expect, test } from 'vitest'
import { z } from 'zod'
import { whyNarrowed } from '../../src/capabilities/skills/narrow.ts'
import type { Skill } from '../../src/capabilities/skills/skill.ts'
import { defineTool, type Effect } from '../../src/domain/tool.ts'
import { checkSkill } from '../../src/kit/skills/check.ts'

function skill(name: string, allowed: string): Skill {
  const { facts } = checkSkill(`---\nname: ${name}\ndescription: D.\n${allowed}---\nBody.\n`)
  if (facts === undefined) throw new Error('this is no skill')
  const files = async () => new Map()
  return { name, facts, source: 'team', isOn: true, fileTypes: [], findings: [], mark: async () => '', files }
}

const tool = (name: string, effect: Effect, server?: string) =>
  defineTool({
    ...{ kind: 'run', name, description: '', input: z.object({}), effect, run: async () => '' },
    ...(server !== undefined && { server }),
  })
const names = (active: Skill[]) =>
  [
    ...[tool('read_file', 'read'), tool('write_file', 'write'), tool('edit_file', 'write')],
    ...[tool('run_command', 'external'), tool('mcp__x__send', 'external', 'x'), tool('skill', 'write')],
  ]
    .filter((one) => whyNarrowed(one, ['skill'], active) === undefined)
    .map(({ name }) => name)
const all = ['read_file', 'write_file', 'edit_file', 'run_command', 'mcp__x__send', 'skill']

test('a skill that can’t be read allows neither its scripts nor its packages, only loading another', () => {
  const own = ['skill', 'run_skill_script', 'install_skill_packages']
  const allowed = (active: Skill[]) => own.filter((name) => whyNarrowed(tool(name, 'write'), own, active) === undefined)
  expect(allowed([skill('a', 'allowed-tools: Read\n')])).toEqual(own)
  expect(allowed([{ ...skill('a', ''), unreadable: 'permission denied' }])).toEqual(['skill'])
})

test.each([
  ['none', [], all],
  ['no list', [skill('a', '')], all],
  [
    'ours',
    [skill('a', 'allowed-tools: write_file mcp__x__send\n')],
    ['read_file', 'write_file', 'mcp__x__send', 'skill'],
  ],
  [
    'others’ names',
    [skill('a', 'allowed-tools: Read, Edit, Bash(git:*)\n')],
    ['read_file', 'edit_file', 'run_command', 'skill'],
  ],
  [
    'two',
    [skill('a', 'allowed-tools: Write\n'), skill('b', 'allowed-tools: Bash\n')],
    ['read_file', 'write_file', 'run_command', 'skill'],
  ],
  ['a server', [skill('a', 'allowed-tools: mcp__x\n')], ['read_file', 'mcp__x__send', 'skill']],
  ['a server’s tools', [skill('a', 'allowed-tools: [mcp__x__*]\n')], ['read_file', 'mcp__x__send', 'skill']],
  ['another server', [skill('a', 'allowed-tools: mcp__x__other mcp__y mcp__y__*\n')], ['read_file', 'skill']],
  ['all', [skill('a', 'allowed-tools: "*"\n')], all],
  ['a beginning', [skill('a', 'allowed-tools: write_*\n')], ['read_file', 'write_file', 'skill']],
  ['an empty list', [skill('a', 'allowed-tools: []\n')], ['read_file', 'skill']],
  ['an empty text', [skill('a', 'allowed-tools: ""\n')], ['read_file', 'skill']],
  ['an empty field', [skill('a', 'allowed-tools:\n')], ['read_file', 'skill']],
  ['numbers', [skill('a', 'allowed-tools: [1, 2]\n')], ['read_file', 'skill']],
  ['a mapping', [skill('a', 'allowed-tools: {a: b}\n')], ['read_file', 'skill']],
  [
    'an empty list beside another',
    [skill('a', 'allowed-tools: []\n'), skill('b', 'allowed-tools: Write\n')],
    ['read_file', 'write_file', 'skill'],
  ],
  ['one without', [skill('a', 'allowed-tools: Write\n'), skill('b', '')], all],
])('what skills in use leave of the tools: %s', (_, active, left) => {
  expect(names(active)).toEqual(left)
})
