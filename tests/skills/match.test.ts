import { expect, test } from 'vitest'
import { matchesFor } from '../../src/capabilities/skills/match.ts'
import type { Skill } from '../../src/capabilities/skills/skill.ts'
import { triggersOf } from '../../src/capabilities/skills/triggers.ts'
import { checkSkill } from '../../src/kit/skills/check.ts'

function skill(name: string, description: string, metadata: Record<string, string>, isOn = true): Skill {
  const lines = Object.entries(metadata).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}\n`)
  const front = `---\nname: ${name}\ndescription: ${description}\nmetadata:\n  author: us\n${lines.join('')}---\nBody.\n`
  const { facts } = checkSkill(front)
  if (facts === undefined) throw new Error('this is no skill')
  const files = async () => new Map()
  const triggers = triggersOf(facts, undefined)
  return { name, facts, source: 'bobbin', isOn, fileTypes: [], triggers, findings: [], mark: async () => '', files }
}

const invoices = skill('invoices', 'Writes invoices and reminders.', {
  triggers: 'overdue invoice, reminder (0.5), 发票, 송장',
})
const travel = skill('travel', 'Books hotels, flights and trains for business trips.', { 'trigger-mode': 'semantic' })
const reports = skill('reports', 'Writes the weekly sales report.', { 'trigger-mode': 'hybrid', triggers: 'report' })
const off = skill('off', 'Nothing.', { triggers: 'invoice' }, false)
const plain = skill('plain', 'Has no triggers, and is about hotels.', {})
const all = [invoices, travel, reports, off, plain]
const named = (text: string) => matchesFor(text, all).map(({ name, score }) => [name, score])

test.each([
  ['Send the Overdue Invoices again', [['invoices', 1]]],
  ['a reminder, please', []],
  ['a reminder about the overdue invoice', [['invoices', 1.5]]],
  ['请开发票', [['invoices', 1]]],
  ['송장을 보내 주세요', [['invoices', 1]]],
  ['an invoiceless reminderless day', []],
  ['hello there', []],
])('phrases count as whole words: %s', (text, expected) => {
  expect(named(text)).toEqual(expected)
})

test('the phrases of a skill and their weights are read, whatever stands between them', () => {
  const phrasesOf = (triggers: string) => [
    ...(triggersOf({ ...plain.facts, metadata: { triggers } }, undefined)?.phrases ?? []),
  ]
  expect(phrasesOf('  merge pdf (2),split  (the) pdf ;(3); a(0.25) , b (x), c (1.5) d, ')).toEqual([
    ...[['merge pdf', 2] as const, ['split  (the) pdf', 1] as const, ['a', 0.25] as const],
    ...[['b (x)', 1] as const, ['c (1.5) d', 1] as const],
  ])
  expect(phrasesOf(`a${' '.repeat(200_000)}b`)).toEqual([])
  for (const one of [' ', '(', '(1', '1', '(1) ', '.']) phrasesOf(`a${one.repeat(2_000)}b`)
})

test('a message like the description counts, and both together', () => {
  expect(named('book hotel and train').map(([name]) => name)).toEqual(['travel'])
  expect(named('Is the weekly sales report done?').map(([name]) => name)).toEqual(['reports'])
  expect(named('report the bug').map(([name]) => name)).toEqual(['reports'])
  expect(named('weekly')).toEqual([])
})

test('steps that are no list of tools leave it to the model', () => {
  const stepsOf = (run: string) => skill('x', 'Y.', { triggers: 'z', run }).triggers?.steps
  expect(stepsOf('[{"tool":"now"},{"tool":"list_files","input":{"path":"."}}]')).toEqual([
    { tool: 'now', input: {} },
    { tool: 'list_files', input: { path: '.' } },
  ])
  for (const wrong of ['now', '{"tool":"now"}', '[{"name":"now"}]']) expect(stepsOf(wrong)).toEqual([])
})
