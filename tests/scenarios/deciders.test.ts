import { describe, expect, test } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import type { RulesFile } from '../../src/trust/rules.ts'
import { type MemoryBot, type Message, startMemoryBot } from '../support/memory-platform.ts'
import { calls, heldUntil, says } from '../support/model-server.ts'
import { asked, audited, heard, hour, minute, nextCard, no, results, told, yes } from './trust.ts'

const write = calls('write_file', { path: 'outputs/a.txt', content: 'made' })

/** ana asked for a file, and its card waits; cleo wrote in the thread before. */
async function waiting(team = {}, deciders: RulesFile['deciders'] = {}, access: Partial<Config['access']> = {}) {
  const rules = asked(team, { deciders })
  const script = [says('Hello.'), write, says('Done.')]
  const bot = await startMemoryBot({ script, config: { rules, access, engine: { clockMs: 20 } } })
  const { memory } = bot
  memory.world.groups.set('admins', ['ben', 'dora', 'eva'])
  const message = await memory.say('cleo', '@bobbin hello')
  await memory.untilAnswered(message, 'Hello.')
  await memory.say('ana', '@bobbin write it', { in: message })
  const card = await memory.untilCard(message)
  return { bot, memory, message, card }
}

const done = ({ memory }: MemoryBot, message: Message) =>
  memory.eventually(() => expect(memory.answers(message).at(-1)).toBe('Done.'))

const notAllowed = (reason: unknown = expect.any(String)) => ({ kind: 'not-allowed', reason })

const cardOf = ({ memory }: MemoryBot, message: Message) => {
  const card = memory.cards(message).at(-1)
  if (card?.kind !== 'approval') throw new Error('there is no approval')
  return card
}

describe('who may decide', () => {
  test('people of another workspace may only where the rules name them, whatever they wrote here', async () => {
    const { bot, memory, message, card } = await waiting({ who: ['participants', 'user:pia', 'operator'] })
    memory.world.outsiders.add('paz').add('pia')
    await memory.say('paz', 'I would', { in: message })
    expect(await memory.click('paz', card, yes)).toEqual(notAllowed(expect.stringContaining('another workspace')))
    expect(await memory.click('pia', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
  })

  test('people of an unknown workspace may only where the rules name them, and are to try again', async () => {
    const { bot, memory, message, card } = await waiting({ who: ['participants', 'operator'] })
    memory.world.unchecked.add('paz')
    await memory.say('paz', 'I would', { in: message })
    expect(await memory.click('paz', card, yes)).toEqual(notAllowed(expect.stringContaining('Try again in a minute.')))
    memory.world.unchecked.delete('paz')
    expect(await memory.click('paz', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
  })

  test('a stranger may not, is told why, and nothing changes but the log', async () => {
    const { bot, memory, message, card } = await waiting({ who: ['participants', 'operator'] })
    const why = 'Only the people in this thread or the operator can decide this.'
    expect(await memory.click('zoe', card, yes)).toEqual(notAllowed(why))
    expect(await memory.click('zoe', card, no)).toEqual(notAllowed(why))
    expect(cardOf(bot, message).state).toBe('pending')
    expect(await memory.click('cleo', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
    expect(await audited(bot)).toEqual(['asked', 'refused', 'refused', 'decided', 'started', 'ended'])
  })

  test('repeated clicks do not fill the log, and every click is counted', async () => {
    const { bot, memory, message, card } = await waiting({ who: ['participants'] })
    for (let click = 0; click < 40; click++) await memory.click('zoe', card, yes)
    memory.pass(hour)
    for (let click = 0; click < 40; click++) await memory.click('zoe', card, no)
    for (let person = 0; person < 40; person++) await memory.click(`stranger${person}`, card, yes)
    await memory.click('cleo', card, yes)
    await done(bot, message)
    expect((await audited(bot)).at(-1)).toBe('ended')
    const entries = bot.rows("select data from audit where kind = 'refused'").map(({ data }) => JSON.parse(`${data}`))
    const ofZoe = entries.filter(({ by }) => by === 'zoe').map(({ times = 1 }) => times)
    expect(ofZoe).toEqual([1, 40, 39])
    expect(entries.length).toBeLessThan(30)
    expect(entries.reduce((sum, { times = 1 }) => sum + times, 0)).toBe(120)
  })

  test('somebody who writes while the card waits is a participant, even if the bot has not read it', async () => {
    const { bot, memory, message, card } = await waiting({ who: ['participants'] })
    await memory.say('zoe', 'go ahead, it is fine', { in: message })
    expect(await memory.click('zoe', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
  })

  test('so is somebody who writes there to somebody else, or asks for the status', async () => {
    const { bot, memory, message, card } = await waiting({ who: ['participants'], needed: 3 })
    await memory.say('zoe', '@ben can you look at this?', { in: message })
    await memory.say('yan', '@bobbin status', { in: message })
    expect(await memory.click('zoe', card, yes)).toMatchObject({ kind: 'voted' })
    expect(await memory.click('yan', card, yes)).toMatchObject({ kind: 'voted' })
    expect(await memory.click('cleo', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
  })

  test('another bot is not, nor somebody who wrote elsewhere, nor somebody who has only clicked', async () => {
    const { bot, memory, message, card } = await waiting({ who: ['participants'] }, {}, { bots: ['robot'] })
    await memory.say('robot', '@bobbin please go on', { in: message, bot: true })
    await memory.say('zoe', '@ben can you look at this?')
    await memory.click('yan', card, yes)
    for (const who of ['robot', 'zoe', 'yan']) expect(await memory.click(who, card, yes)).toEqual(notAllowed())
    expect(cardOf(bot, message).state).toBe('pending')
  })

  test('nor somebody whom the access rules exclude', async () => {
    const access = { users: ['ana', 'cleo'] }
    const { bot, memory, message, card } = await waiting({ who: ['participants'] }, {}, access)
    await memory.say('zoe', '@bobbin go ahead', { in: message })
    expect(await memory.click('zoe', card, yes)).toEqual(notAllowed('You’re not allowed to use me here.'))
    // She may write here from now on, and has not done so.
    access.users.push('zoe')
    expect(await memory.click('zoe', card, yes)).toEqual(notAllowed(expect.stringContaining('can decide this')))
    await memory.say('zoe', 'go ahead', { in: message })
    expect(await memory.click('zoe', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
  })

  test('the operator at the console, where the rules name them, and not where they do not', async () => {
    const { bot, message, card } = await waiting({ who: ['group:admins'] })
    expect((await bot.chat.answer(card.id, { decision: 'approve' })).status).toBe(403)
    const other = await waiting({ who: ['user:ben', 'operator'] })
    expect((await other.bot.chat.answer(other.card.id, { decision: 'approve' })).status).toBe(200)
    await done(other.bot, other.message)
    expect(cardOf(other.bot, other.message).answeredBy).toEqual({ id: 'operator', name: 'the operator' })
    expect(cardOf(bot, message).state).toBe('pending')
  })

  test('not the asker, nor anybody who joined the turn by writing', async () => {
    const { bot, memory, message, card } = await waiting({ who: ['participants', 'group:admins'], asker: false })
    const why = 'The person who asked for this can’t decide it.'
    expect(await memory.click('ana', card, yes)).toEqual(notAllowed(why))
    // Who writes while the card waits has not said anything that led to it.
    expect(await memory.click('cleo', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
  })

  test('who said no and named a file in what to do instead may still decide', async () => {
    const rules = asked({ who: ['user:ben'], asker: false })
    const bot = await startMemoryBot({ script: [write, write, says('Done.')], config: { rules } })
    const { memory } = bot
    const message = await memory.say('ana', '@bobbin write it')
    const card = await memory.untilCard(message)
    const instead = { decision: 'deny', instead: 'look at #report.csv' } as const
    await memory.click('ben', card, { kind: 'approval', answer: instead })
    expect(await memory.click('ben', await nextCard(bot, message, card), yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
  })

  test('a second writer whose message the turn has read counts as an asker', async () => {
    const rules = asked({ who: ['anyone'], asker: false })
    const said = Promise.withResolvers<void>()
    const first = heldUntil(said.promise, calls('now', {}))
    const bot = await startMemoryBot({ script: [first, write, says('Done.')], config: { rules } })
    const { memory } = bot
    const message = await memory.say('ana', '@bobbin write it')
    await memory.say('ben', '@bobbin and do it now', { in: message })
    said.resolve()
    const card = await memory.untilCard(message)
    expect(await memory.click('ben', card, yes)).toEqual(notAllowed())
    expect(await memory.click('ana', card, yes)).toEqual(notAllowed())
    expect(await memory.click('cleo', card, no)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
  })

  test('so does one whose message the turn had read in which the alarm was set', async () => {
    const rules = asked({ who: ['anyone'], asker: false })
    const said = Promise.withResolvers<void>()
    const first = heldUntil(said.promise, calls('now', {}))
    const sets = calls('alarm_set', { at: 'in 10 minutes', message: 'write it' })
    const script = [first, sets, says('Set.'), write, says('Done.')]
    const bot = await startMemoryBot({ script, config: { rules, engine: { clockMs: 20 } } })
    const { memory } = bot
    const message = await memory.say('ana', '@bobbin look')
    await memory.say('ben', '@bobbin and write it in 10 minutes', { in: message })
    said.resolve()
    await memory.untilAnswered(message, 'Set.')
    await bot.settled()
    memory.pass(11 * minute)
    const card = await memory.untilCard(message)
    expect(await memory.click('ben', card, yes)).toEqual(notAllowed())
    expect(await memory.click('ana', card, yes)).toEqual(notAllowed())
    expect(await memory.click('cleo', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
  })

  test('a role that was taken away between card and click', async () => {
    const { bot, memory, message, card } = await waiting({ who: ['group:admins'] })
    memory.world.groups.set('admins', ['dora'])
    expect(await memory.click('ben', card, yes)).toEqual(notAllowed(expect.stringContaining('group admins')))
    expect(await memory.click('dora', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
  })

  test('when groups cannot be looked up nothing changes, and they are to try again', async () => {
    const { bot, memory, message, card } = await waiting({ who: ['group:admins'] })
    const { groups } = memory.world
    memory.world.groups.get = () => {
      throw new Error('the platform does not answer')
    }
    const why = 'I couldn’t check whether you may decide this. Try again.'
    expect(await memory.click('ben', card, yes)).toEqual(notAllowed(why))
    expect(await memory.click('ben', card, no)).toEqual(notAllowed(why))
    expect(cardOf(bot, message)).toMatchObject({ state: 'pending', votes: [] })
    groups.get = Map.prototype.get
    expect(await memory.click('ben', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
  })
})

describe('a quorum', () => {
  const two = { who: ['group:admins', 'operator'], asker: false, needed: 2 }

  test('of two counts over a restart, and the same person once', async () => {
    const { bot, memory, message, card } = await waiting(two)
    expect(card).toMatchObject({
      decided: { needed: 2, who: '2 of group admins or the operator, but not the person who asked' },
    })
    expect(await memory.click('ben', card, yes)).toMatchObject({ kind: 'voted', request: { state: 'pending' } })
    expect(await memory.click('ben', card, yes)).toMatchObject({ kind: 'voted' })
    await memory.eventually(() => expect(cardOf(bot, message).votes.map(({ person }) => person.id)).toEqual(['ben']))
    await bot.crashAs()
    expect(await memory.click('ben', card, yes)).toMatchObject({ kind: 'voted' })
    expect(results(bot)).toEqual(['waiting'])
    expect(await memory.click('dora', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
    expect(results(bot)).toEqual(['done'])
    expect(await audited(bot)).toEqual(['asked', 'voted', 'voted', 'decided', 'started', 'ended'])
  })

  test('is reached by two at the same instant, and by three once', async () => {
    const { bot, memory, message, card } = await waiting(two)
    const outcomes = await Promise.all(['ben', 'dora', 'eva'].map((person) => memory.click(person, card, yes)))
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['taken', 'too-late', 'voted'])
    await done(bot, message)
    expect(bot.rows('select attempt from calls')).toEqual([{ attempt: 1 }])
  })

  test('is ended by one denial', async () => {
    const { bot, memory, message, card } = await waiting(two)
    await memory.click('ben', card, yes)
    expect(await memory.click('dora', card, no)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
    expect(heard(bot)).toBe('Cancelled: dora denied this.')
  })

  test('does not count somebody who has lost the role since', async () => {
    const { bot, memory, message, card } = await waiting(two)
    await memory.click('ben', card, yes)
    memory.world.groups.set('admins', ['dora', 'eva'])
    expect(await memory.click('dora', card, yes)).toMatchObject({ kind: 'voted' })
    await memory.eventually(() => expect(cardOf(bot, message).votes.map(({ person }) => person.id)).toEqual(['dora']))
    expect(await memory.click('eva', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
  })

  test('does not count somebody whom the access rules have excluded since', async () => {
    const access = { users: ['ana', 'ben', 'cleo', 'dora', 'eva'] }
    const { bot, memory, message, card } = await waiting(two, {}, access)
    await memory.click('ben', card, yes)
    access.users.splice(1, 1)
    expect(await memory.click('dora', card, yes)).toMatchObject({ kind: 'voted' })
    await memory.eventually(() => expect(cardOf(bot, message).votes.map(({ person }) => person.id)).toEqual(['dora']))
    expect(await memory.click('eva', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
  })

  test('counts the operator, who is not in any group', async () => {
    const { bot, memory, message, card } = await waiting(two)
    expect((await bot.chat.answer(card.id, { decision: 'approve' })).status).toBe(200)
    expect(await memory.click('ben', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
    expect(cardOf(bot, message).votes.map(({ person }) => person)).toEqual(
      expect.arrayContaining([{ id: 'operator', name: 'the operator' }]),
    )
  })

  test('gives nobody the right to say “always”', async () => {
    const { bot, memory, message, card } = await waiting(two)
    expect(card.kind === 'approval' && card.payload.grants).toBeUndefined()
    const answer = { decision: 'approve' as const, always: { pattern: 'exact' as const, scope: 'thread' as const } }
    expect(await memory.click('ben', card, { kind: 'approval', answer })).toEqual(
      notAllowed('This can only be approved once.'),
    )
    expect(cardOf(bot, message).votes).toEqual([])
  })
})

describe('time', () => {
  test('reminds again and again, and not after the answer', async () => {
    const { bot, memory, message, card } = await waiting({ who: ['group:admins'], remind_ms: hour })
    const reminders = () => told(bot, message).filter((text) => text.startsWith('This still needs a decision'))
    await memory.eventually(() => expect(told(bot, message)).toEqual(['Hello.', 'This needs your answer.']))
    for (const count of [1, 2, 3]) {
      memory.pass(hour)
      await memory.eventually(() => expect(reminders()).toHaveLength(count))
      await bot.settled()
    }
    await memory.click('ben', card, yes)
    await done(bot, message)
    memory.pass(10 * hour)
    await bot.settled()
    expect(reminders()).toHaveLength(3)
    expect(reminders()[0]).toContain('write_file, for group admins')
  })

  test('ever more rarely, and as before whoever is asked instead', async () => {
    const owners = { who: ['group:admins'], asker: true, needed: 1, remind_ms: hour }
    const team = { remind_ms: hour, next: { after_ms: 130 * hour, decider: 'owners' } }
    const { bot, memory, message } = await waiting(team, { owners })
    const read = () => bot.rows('select reminded, remind_at, asked_at from requests')[0] as Record<string, number>
    const waits: number[] = []
    for (let at = read().asked_at as number, count = 1; count <= 10; count++) {
      const { remind_at = 0 } = read()
      waits.push(Math.round((remind_at - at) / hour))
      at = remind_at
      memory.pass(remind_at - memory.clock.now())
      await memory.eventually(() => expect(read().reminded).toBe(count))
    }
    expect(waits).toEqual([1, 1, 1, 2, 4, 8, 16, 32, 32, 32])
    memory.pass(32 * hour)
    await memory.eventually(() => expect(cardOf(bot, message).decided.who).toBe('group admins'))
    expect(Math.round(((read().remind_at as number) - memory.clock.now()) / hour)).toBe(1)
  })

  test('once for all the time that the bot was down', async () => {
    const { bot, memory, message } = await waiting({ remind_ms: hour })
    await bot.stop()
    memory.pass(100 * hour)
    await bot.restart()
    await memory.eventually(() => expect(told(bot, message)).toHaveLength(2))
    await bot.settled()
    expect(told(bot, message)).toHaveLength(2)
  })

  test('asks others, and those before may not any more', async () => {
    const owners = { who: ['group:admins'], asker: true, needed: 1, deny_ms: hour }
    const team = { who: ['participants'], next: { after_ms: hour, decider: 'owners' } }
    const { bot, memory, message, card } = await waiting(team, { owners })
    expect(await memory.click('ben', card, yes)).toEqual(notAllowed())
    memory.pass(hour)
    await memory.eventually(() => expect(cardOf(bot, message).decided.who).toBe('group admins'))
    const words = 'Nobody has decided yet, so I’m asking others: write_file, for group admins.'
    await memory.eventually(() => expect(told(bot, message).at(-1)).toBe(words))
    expect(await memory.click('cleo', card, yes)).toEqual(notAllowed())
    expect(await memory.click('ben', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
    expect(await audited(bot)).toEqual(['asked', 'refused', 'moved', 'refused', 'decided', 'started', 'ended'])
  })

  test('of those who are asked later counts from then, across a restart', async () => {
    const owners = { who: ['group:admins'], asker: true, needed: 1, deny_ms: hour }
    const { bot, memory, message } = await waiting({ next: { after_ms: hour, decider: 'owners' } }, { owners })
    memory.pass(hour)
    await memory.eventually(() => expect(cardOf(bot, message).decided.decider).toBe('owners'))
    await bot.restart()
    memory.pass(hour / 2)
    await bot.settled()
    expect(cardOf(bot, message).state).toBe('pending')
    memory.pass(hour / 2)
    await done(bot, message)
    expect(heard(bot)).toBe('Cancelled: nobody decided in time.')
  })

  test('votes of those before count only where they may still decide', async () => {
    const owners = { who: ['group:admins'], asker: true, needed: 2 }
    const team = { who: ['participants', 'user:dora'], needed: 2, next: { after_ms: hour, decider: 'owners' } }
    const { bot, memory, message, card } = await waiting(team, { owners })
    await memory.click('cleo', card, yes)
    memory.pass(hour)
    await memory.eventually(() => expect(cardOf(bot, message).decided.decider).toBe('owners'))
    expect(await memory.click('ben', card, yes)).toMatchObject({ kind: 'voted' })
    expect(await memory.click('dora', card, yes)).toMatchObject({ kind: 'taken' })
    await done(bot, message)
  })
})
