import { expect, test } from 'vitest'
import { runCommand } from '../../src/capabilities/commands/run-command.ts'
import { whyNarrowed } from '../../src/capabilities/skills/narrow.ts'
import { sectionOf } from '../../src/capabilities/skills/prompt.ts'
import type { Skill } from '../../src/capabilities/skills/skill.ts'
import { sheetOf } from '../../src/kit/documents/chunks/rows.ts'
import { createSecrets } from '../../src/kit/secrets/secrets.ts'
import { planOf } from '../../src/kit/shell/plan.ts'
import { checkSkill } from '../../src/kit/skills/check.ts'
import { saysYes } from '../../src/kit/text/yes.ts'
import { thinkTags } from '../../src/model/think-tags.ts'
import { discordText } from '../../src/platforms/discord/text/discord-markdown.ts'
import { effortMs } from '../support/effort.ts'

function skillWith(fields: string, body: string): Skill {
  const { facts } = checkSkill(`---\nname: a\ndescription: b\n${fields}---\n${body}\n`)
  if (facts === undefined) throw new Error('this is no skill')
  const files = async () => new Map()
  return { name: 'a', facts, source: 'team', isOn: true, fileTypes: [], findings: [], mark: async () => '', files }
}

const login = `"auth": "${Buffer.from(`${':'.repeat(3_000)}\n`).toString('base64')}"\n`

test.each<[string, () => unknown]>([
  ['empty lines of a model', () => [...thinkTags().add(`Hello${'\n'.repeat(100_000)}\n</think>\n\n`)]],
  ['signs of a person', () => saysYes(`${'👍'.repeat(50_000)}a`)],
  ['a name in the arithmetic of a command', () => planOf(`echo $((${'A'.repeat(19_000)}))`)],
  ['colons of a login', () => createSecrets([]).mask(login.repeat(100))],
  ['blanks of a table', () => sheetOf(`| a |\n${`|-${' '.repeat(4_990)}x\n`.repeat(50)}`)],
  ['blanks of a heading', () => discordText(`# a${' '.repeat(50_000)}b`)],
  [
    'brackets of a skill’s tools',
    () => whyNarrowed(runCommand, [], [skillWith(`allowed-tools: ["${'('.repeat(60_000)}\\n"]\n`, 'B.')]),
  ],
  ['a body of megabytes', () => sectionOf(skillWith('', 'word '.repeat(1_500_000)), 40_000, (text) => text)],
])('%s take no longer than other text', async (_, read) => {
  expect(await effortMs(read)).toBeLessThan(300)
})
