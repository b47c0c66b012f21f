import { expect, test } from 'vitest'
import { resultsIn } from '../delegation/support.ts'
import { startTestBot } from '../support/bot.ts'
import { calls, says } from '../support/model-server.ts'
import { until } from '../support/until.ts'

const skill = (name: string) => `---\nname: ${name}\ndescription: Does it.\n---\nDo it.\n`

/** Has the model install a skill of this name. Returns what is shown before, and what the model is told afterwards. */
async function installed(name: string, { scope = 'channel', given = async (_: string) => {} } = {}) {
  const bot = await startTestBot({
    script: [calls('install_skill', { path: 'uploads/SKILL.md', scope }), says('Done.')],
  })
  await given(`${bot.chat.url}/api/v1/skills`)
  const saying = bot.chat.say('Install it.', { files: { 'SKILL.md': skill(name) } })
  const card = await until('the card', async () => (await bot.chat.requests())[0])
  await bot.chat.answer(card.id, { decision: 'approve' })
  const { conversation } = await saying
  await bot.chat.untilType(conversation, 'complete')
  return { card: JSON.stringify(card), result: resultsIn(bot.model.requests.at(-1)).at(-1) }
}

const upload = (url: string, name: string, scope: string) =>
  fetch(`${url}?scope=${scope}`, { method: 'POST', body: skill(name) })

test('whoever decides on a skill is told that it takes the name of an agent, and so is the model', async () => {
  const { card, result } = await installed('reviewer')
  const told = 'Where this skill is installed, @reviewer loads it, and no longer means the agent of that name.'
  expect(card).toContain(told)
  expect(result).toContain(`People can load it with @reviewer. ${told} \`skills back reviewer\` goes back.`)
})

test('nobody is told to load a skill by a name that a tool has', async () => {
  const { card, result } = await installed('now')
  const told = '@now means a tool, so people can’t load this skill by writing that.'
  expect(card).toContain(told)
  expect(result).toContain(told)
  expect(result).not.toContain('People can load it')
})

test('a name that was a skill’s already is nobody else’s', async () => {
  const { card, result } = await installed('reviewer', {
    given: async (url) => void (await upload(url, 'reviewer', 'channel')),
  })
  expect(card).not.toContain('the agent of that name')
  expect(result).toContain('It takes the place of the one that was there. People can load it with @reviewer. `skills')
})

test('for the team, a skill takes the name of an agent also where a channel has one of that name', async () => {
  const { card, result } = await installed('reviewer', {
    scope: 'team',
    given: async (url) => void (await upload(url, 'reviewer', 'channel')),
  })
  expect(card).toContain('no longer means the agent of that name')
  expect(result).toContain('no longer means the agent of that name')
})

test('for the team, the result says what its command goes back to, and what a channel keeps', async () => {
  const own = await installed('notes', {
    scope: 'team',
    given: async (url) => void (await upload(url, 'notes', 'channel')),
  })
  expect(own.result).toContain('This channel has its own skill of that name, which it keeps.')
  expect(own.result).toContain('`skills back notes everywhere` goes back.')
  expect(own.result).not.toContain('takes the place')
  const off = await installed('docx', {
    scope: 'team',
    given: async (url) => void (await fetch(`${url}/docx/disable?scope=channel`, { method: 'POST' })),
  })
  expect(off.result).toContain('It takes the place of the one that comes with Bobbin.')
  expect(off.result).toContain('In this channel, it stays switched off.')
})
