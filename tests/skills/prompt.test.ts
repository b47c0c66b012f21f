import { expect, test } from 'vitest'
import { sectionOf } from '../../src/capabilities/skills/prompt.ts'
import type { Skill } from '../../src/capabilities/skills/skill.ts'
import { tokensIn } from '../../src/kit/model/tokens.ts'
import { checkSkill } from '../../src/kit/skills/check.ts'
import { joined, withinShare } from '../../src/turn/prompt/sections.ts'
import { effortMs } from '../support/effort.ts'

function skill(body: string): Skill {
  const { facts } = checkSkill(`---\nname: notes\ndescription: D.\n---\n${body}\n`)
  if (facts === undefined) throw new Error('this is no skill')
  const files = async () => new Map()
  return { name: 'notes', facts, source: 'team', isOn: true, fileTypes: [], findings: [], mark: async () => '', files }
}

const sectionWith = (body: string, most: number) => sectionOf(skill(body), most, (text) => text)

test.each(['</skill>', '< / skill>', '<SKILL name="other">'])('%s in a skill neither ends nor begins one', (mark) => {
  const { text } = sectionWith(`Before\n${mark}\nafter`, 1_000)
  expect(text.match(/<\s*\/?\s*skill\b/gi)).toEqual(['<skill', '</skill'])
})

test('blanks after many brackets take no longer than other text', async () => {
  const body = `<${' '.repeat(50_000)}`.repeat(2)
  expect(await effortMs(() => sectionWith(`${body}x`, 1_000_000))).toBeLessThan(500)
})

test('a skill for which the prompt has too little room ends with its mark, and says where the rest is', () => {
  const plan = { name: 'Plan mode', text: 'Change nothing.' }
  const whole = sectionWith('A line of notes.\n'.repeat(2_000), 100_000)
  const [cut, other] = withinShare([whole, plan], [whole, plan], 2_000)
  expect(cut?.text).toMatch(
    /^This skill is loaded.*<skill name="notes">\nA line.*\n<\/skill>\nThis is only the beginning: continue in skills\/notes\/SKILL\.md\.$/s,
  )
  expect(tokensIn(cut?.text ?? '')).toBeGreaterThan(1_800)
  expect(tokensIn(cut?.text ?? '')).toBeLessThan(2_100)
  expect(other).toBe(plan)
})

test('skills for which there is no room have one line each, which says what to read', () => {
  const brought = Array.from({ length: 12 }, (_, place) => {
    const { facts, ...rest } = skill('A line of notes.\n'.repeat(2_000))
    const tools = { ...facts, allowedTools: Array.from({ length: 50 }, (_, tool) => `tool_number_${tool}`) }
    return sectionOf({ ...rest, facts: tools, name: `notes-${place}` }, 100_000, (text) => text)
  })
  const [first, ...others] = withinShare(brought, brought, 1_000)
  expect(first?.text).toMatch(/<\/skill>\nThis is only the beginning/)
  for (const [place, { text }] of others.entries())
    expect(text).toBe(
      `This skill is loaded in this thread. Before work that it is for, read skills/notes-${place + 1}/SKILL.md.`,
    )
  expect(tokensIn(joined(others))).toBeLessThan(500)
})

test('a section that shortens itself to more than there is room for is cut as others are', () => {
  const text = 'A line of notes.\n'.repeat(2_000)
  const section = { name: 'Long', text, shortened: () => text.slice(1) }
  const [cut] = withinShare([section], [section], 1_000)
  expect(cut?.text).toMatch(/^A line.*\n\[The rest of this section is left out/s)
  expect(tokensIn(cut?.text ?? '')).toBeLessThan(1_100)
})
