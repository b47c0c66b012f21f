import { expect, test } from 'vitest'
import { resultsIn } from '../delegation/support.ts'
import type { DiscordServer } from '../support/discord/server.ts'
import { says } from '../support/model-server.ts'
import { shippedConfig } from '../support/shipped.ts'
import { until } from '../support/until.ts'
import { files, openQuestion, plan } from './asked.ts'

const day = 86_400_000

/** Ana, and those with a role, may answer; a question is declined after a day. */
const config = ({ roles, users }: DiscordServer) => {
  const who = [`user:${users.ana}`, `group:${roles.approvers}`]
  const { rules } = shippedConfig()
  // The deadline's own clock never comes.
  return { rules: { questions: { ...rules.questions, who, decline_ms: day } }, engine: { clockMs: 2 ** 31 - 1 } }
}

/** Ben sends the form with a file, and `meanwhile` happens while Discord is asked for his roles. */
async function answerLate(
  { discord, card }: Awaited<ReturnType<typeof openQuestion>>,
  meanwhile: () => unknown,
): Promise<void> {
  await discord.people.click('ben', card, 'Something else…').answered
  const looksUp = { method: 'GET', path: `/members/${discord.users.ben}` } as const
  discord.misbehave.fail(looksUp, { kind: 'first', run: meanwhile })
  await discord.people.submitModal('ben', { text: 'this one', files: files.slice(0, 1) }).answered
}

test('an answer with files that somebody else was faster than is told so, and isn’t heard as anything else', async () => {
  const asked = await openQuestion([plan, says('Thanks.')], config)
  const { bot, discord, thread, card, told } = asked
  await answerLate(asked, () => discord.people.click('ana', card, 'B').answered)

  expect(await told('ben', thread)).toBe(`Too late, this has been settled: answered by <@${discord.users.ana}>.`)
  const answered = await until('the answer', () => bot.model.requests[1])
  expect(resultsIn(answered)).toEqual([expect.stringContaining('B')])
  await until('the end', () => discord.view(thread).some(({ content }) => content.includes('Thanks.')))
  expect(JSON.stringify(bot.model.requests)).not.toContain('this one')
  expect(bot.model.requests).toHaveLength(2)
})

test('an answer with files that comes after the deadline is told so, and isn’t heard as anything else', async () => {
  const clock = { passed: 0, now: () => Date.now() + clock.passed }
  const asked = await openQuestion([plan, says('Thanks.')], config, clock)
  await answerLate(asked, () => {
    clock.passed += day
  })

  expect(await asked.told('ben', asked.thread)).toBe('The time for this has run out.')
  expect(asked.bot.model.requests).toHaveLength(1)
})
