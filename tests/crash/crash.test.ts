import { mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startTestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, says, slowly } from '../support/model-server.ts'
import { startLines } from './lines.ts'
import { copyBot, mutants, mutate, mutated } from './mutants.ts'
import { realDisk } from './real-disk.ts'
import { thawAfterTakeover } from './thaw.ts'

const checkout = resolve(import.meta.dirname, '../..')

test('the code that the mutants take out exists', async () => {
  for (const mutant of mutants) expect(await mutated(checkout, mutant)).not.toEqual([])
})

test('of two answers at the same instant from two processes, one wins', async () => {
  const rounds = 30
  const [first, ...more] = Array.from({ length: rounds }, (_, at) => ({ question: `Who is first in round ${at}?` }))
  const bot = await startTestBot({
    script: [calls('ask_human', first, ...more.map((input): [string, object] => ['ask_human', input])), says('Done.')],
    config: { engine: { sweepMs: 200 } },
  })
  const { conversation } = await bot.chat.say('ask', { user: 'ana' })
  const requests = await bot.chat.requests()
  expect(requests).toHaveLength(rounds)

  const people = ['ben', 'cleo'].map((name) =>
    startLines(join(import.meta.dirname, 'answering.ts'), join(bot.dataDir, 'bobbin.db'), name),
  )
  onTestFinished(() => people.forEach(({ child }) => void child.kill()))
  for (const person of people) await person.read()
  const winners = new Map<string, string>()
  for (const { id } of requests) {
    const at = Date.now() + 20
    for (const person of people) person.write(`${id} ${at}`)
    const [ben = '', cleo = ''] = await Promise.all(people.map((person) => person.read()))
    expect([ben, cleo].sort()).toEqual(['taken', 'too-late'])
    winners.set(id, ben === 'taken' ? 'ben' : 'cleo')
  }
  await bot.chat.untilType(conversation, 'complete')
  const answered = ofType(await bot.chat.events(conversation), 'question_answered')
  expect(new Map(answered.map(({ data }) => [data.request_id as string, data.person?.id]))).toEqual(winners)
  expect(answered).toHaveLength(rounds)
})

const words = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'
const inText = { script: () => slowly(60, says(words)), frozenAt: 'text_delta' }
const inCall = {
  script: (_: unknown, number: number) => (number === 0 ? calls('notify', { token: 'once' }) : says('Done.')),
  frozenAt: 'act',
}

test.for([inText, inCall])('thawed after a takeover of its turn ($frozenAt), it writes nothing', async (place) => {
  const { before, after } = await thawAfterTakeover(checkout, place.script, place.frozenAt)
  expect(after).toEqual(before)
  expect(before.turns).toMatchObject([{ state: 'done' }])
})

test.for([inText, inCall])('without the lease check, the campaign notices ($frozenAt)', async (place) => {
  const directory = await mkdtemp(join(realDisk, 'bobbin-mutant-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const root = await copyBot(checkout, join(directory, 'bot'))
  await mutate(root, 'lease')
  const { before, after } = await thawAfterTakeover(root, place.script, place.frozenAt, 'a write')
  expect(after).not.toEqual(before)
})

test('an alarm missed while the bot was down rings once and says that it is late; a repeating one goes on', async () => {
  let now = Date.parse('2026-03-10T08:30:00Z')
  const hour = 3_600_000
  const bot = await startTestBot({
    clock: { now: () => now },
    script: (_, number) =>
      number === 0
        ? calls('alarm_set', { at: 'PT1H', message: 'look' }, ['alarm_set', { cron: '0 * * * *', message: 'hourly' }])
        : says(`reply ${number}`),
    config: { engine: { clockMs: 50, sweepMs: 200 } },
  })
  const { conversation } = await bot.chat.say('remind me', { user: 'ana' })
  const rung = async () =>
    ofType(await bot.chat.events(conversation), 'message').flatMap(({ data }) =>
      data.role === 'alarm' ? data.text : [],
    )

  await bot.stop()
  now += 4 * hour
  await bot.restart()
  await bot.chat.until(
    conversation,
    ({ type, data }) => type === 'message' && /^look/.test('text' in data ? data.text : ''),
  )
  await bot.chat.until(
    conversation,
    ({ type, data }) => type === 'message' && /^hourly/.test('text' in data ? data.text : ''),
  )
  const late = ['hourly; it is 4 hours late', 'look; it is 3 hours late']
  expect((await rung()).sort()).toEqual(late)

  await bot.restart()
  // If it rings again before the last ring was read, only one is read.
  const stateOf = async () => (await bot.chat.get<{ state: string }>(`/agent/conversations/${conversation}`)).state
  await expect.poll(stateOf).toBe('completed')
  const seen = (await bot.chat.events(conversation)).length
  now = Date.parse('2026-03-10T13:00:00Z')
  const again = await bot.chat.until(
    conversation,
    ({ type, data }) => type === 'message' && data.role === 'alarm',
    seen,
  )
  expect(again.data).toMatchObject({ text: 'hourly' })
  expect((await rung()).sort()).toEqual(['hourly', ...late])
  const read = bot.model.requests.at(-1)?.messages.filter(({ role }) => role === 'user') ?? []
  expect(JSON.stringify(read)).toContain('it is 3 hours late')
})
