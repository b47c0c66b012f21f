import { expect, test } from 'vitest'
import { sectionOf } from '../../src/capabilities/skills/prompt.ts'
import type { Skill } from '../../src/capabilities/skills/skill.ts'
import { checkSkill } from '../../src/kit/skills/check.ts'
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
