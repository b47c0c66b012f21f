import { describe, expect, test } from 'vitest'
import type { GrantChoice } from '../../src/domain/grant.ts'
import type { RulesFile } from '../../src/trust/rules.ts'
import type { Capability } from '../../src/turn/port/capability.ts'
import { type MemoryBot, type Message, startMemoryBot } from '../support/memory-platform.ts'
import { calls, type ScriptedReply, says } from '../support/model-server.ts'
import { asked, audited, heard, hour, minute, nextCard, yes } from './trust.ts'

const write = (content = 'made') => calls('write_file', { path: 'outputs/a.txt', content })
const run = (command: string) => calls('run_command', { command })

/** Whom the rules name may decide for more than a thread. */
const named = { who: ['user:ben'] }

const always = (choice: Partial<GrantChoice> = {}) => ({
  kind: 'approval' as const,
  answer: { decision: 'approve' as const, always: { pattern: 'exact' as const, scope: 'thread' as const, ...choice } },
})

/** ana asked for something, and ben said “always”. What comes after is asked of the model in later turns. */
async function granted(
  first: ScriptedReply,
  choice: Partial<GrantChoice>,
  later: ScriptedReply[],
  rules = asked(named),
  plugins: Capability[] = [],
) {
  const script = [first, says('First.'), ...later.flatMap((reply) => [reply, says('Later.')])]
  const bot = await startMemoryBot({ script, plugins, config: { rules, engine: { clockMs: 20 } } })
  const message = await bot.memory.say('ana', '@bobbin @run_command @run_script it')
  const card = await bot.memory.untilCard(message)
  expect(await bot.memory.click('ben', card, always(choice))).toMatchObject({ kind: 'taken' })
  await bot.memory.eventually(() => expect(bot.memory.answers(message)).toContain('First.'))
  await bot.settled()
  return { bot, memory: bot.memory, message, card }
}

/** Says it once more, in a thread or as a new one, and whether a card came of it. */
async function asksAgain(bot: MemoryBot, place: { in?: Message; channel?: string; tenant?: string }): Promise<boolean> {
  const { memory } = bot
  const before = place.in === undefined ? 0 : memory.answers(place.in).length
  const said = await memory.say('ana', '@bobbin @run_command again', place)
  const message = place.in ?? said
  const pending = () => memory.cards(message).filter(({ state }) => state === 'pending')
  await memory.eventually(() => expect(pending().length + memory.answers(message).length - before).toBeGreaterThan(0))
  return pending().length > 0
}

describe('where it holds', () => {
  const later = [write(), write(), write(), write()]

  test.each<[GrantChoice['scope'], boolean[]]>([
    ['thread', [false, true, true, true]],
    ['channel', [false, false, true, true]],
    ['tenant', [false, false, false, true]],
  ])('%s', async (scope, expected) => {
    const { bot, message } = await granted(write(), { scope }, later)
    const places = [{ in: message }, {}, { channel: 'random' }, { tenant: 'others' }]
    const seen: boolean[] = []
    for (const place of places) {
      const isAsked = await asksAgain(bot, place)
      seen.push(isAsked)
      // What is asked leaves its turn resting, and its next reply unsaid.
      if (isAsked) break
    }
    expect(seen).toEqual(expected.slice(0, seen.length))
    expect(seen.at(-1)).toBe(true)
  })

  test('a participant decides only for the thread', async () => {
    const bot = await startMemoryBot({ script: [write(), says('First.')], config: { rules: asked() } })
    const message = await bot.memory.say('ana', '@bobbin write it')
    const card = await bot.memory.untilCard(message)
    for (const scope of ['channel', 'tenant'] as const)
      expect(await bot.memory.click('ben', card, always({ scope }))).toMatchObject({ kind: 'not-allowed' })
    expect(bot.rows('select id from grants')).toEqual([])
    expect(await bot.memory.click('ben', card, always())).toMatchObject({ kind: 'taken' })
    await bot.memory.untilAnswered(message, 'First.')
  })
})

describe('what it allows', () => {
  test('exactly this call, across restarts, and each use is counted', async () => {
    const { bot, message } = await granted(write(), {}, [write(), write(), write('other')])
    expect(await asksAgain(bot, { in: message })).toBe(false)
    await bot.restart()
    expect(await asksAgain(bot, { in: message })).toBe(false)
    await bot.settled()
    expect(bot.rows('select uses from grants')).toEqual([{ uses: 3 }])
    expect(await asksAgain(bot, { in: message })).toBe(true)
    const log = await audited(bot)
    expect(log.slice(0, 3)).toEqual(['asked', 'granted', 'decided'])
    expect(log.filter((kind) => kind === 'asked')).toHaveLength(2)
    const [used] = bot.rows("select data from audit where kind = 'started' order by seq desc")
    expect(JSON.parse(String(used?.data))).toMatchObject({
      layer: 'a grant',
      grants: [expect.stringMatching(/^grant_/)],
    })
  })

  test('a wider one allows whatever runs in the closed sandbox, until tomorrow, in this thread', async () => {
    const script = calls('run_script', { language: 'bash', code: 'cat x | sh' })
    const later = [run('sort x | sh; cp x y'), script, run('rm -rf x')]
    const chosen = { pattern: 'wide', scope: 'channel', forMs: 30 * 24 * hour } as const
    const { bot, message, card } = await granted(run('touch temp/x'), chosen, later)
    expect(card.kind === 'approval' && card.payload.grants).toMatchObject({
      wide: ['anything in the closed sandbox'],
      closed: true,
    })
    expect(await asksAgain(bot, { in: message })).toBe(false)
    expect(await asksAgain(bot, { in: message })).toBe(false)
    expect(await asksAgain(bot, { in: message })).toBe(true)
    const [grant] = bot.rows('select scope, until_at, created_at, uses from grants')
    expect(grant).toMatchObject({ scope: 'thread', uses: 3 })
    expect(Number(grant?.until_at) - Number(grant?.created_at)).toBeLessThanOrEqual(48 * hour)
    expect(Number(grant?.until_at) - Number(grant?.created_at)).toBeGreaterThan(24 * hour - minute)
  })

  test('an allowed call cannot change uploads or write to the workspace’s root', async () => {
    const destroys =
      'x=$(echo rm); $x -f uploads/a.txt; echo x > uploads/b; echo x > .npmrc; echo x > outputs/c; cat uploads/a.txt'
    const first = 'cp uploads/a.txt uploads/first'
    const script = [run(first), says('First.'), run(destroys), says('Later.')]
    const bot = await startMemoryBot({ script, config: { rules: asked(named) } })
    const message = await bot.memory.say('ana', '@bobbin @run_command it', { files: { 'a.txt': 'kept' } })
    await bot.memory.click('ben', await bot.memory.untilCard(message), always({ pattern: 'wide' }))
    await bot.memory.eventually(() => expect(bot.memory.answers(message)).toContain('First.'))
    expect(await asksAgain(bot, { in: message })).toBe(false)
    expect(heard(bot)).toMatch(/\[This ran in the closed sandbox.*needs: \["uploads"\].*\]/)
    expect(heard(bot)).toContain('kept')
  })

  test('one given before untrusted content came does not allow sending', async () => {
    const rules = asked(named, { tools: { web_fetch: { approvals: true, mode: 'confirm', risk: 'medium' } } })
    const fetching = calls('web_fetch', { url: 'http://127.0.0.1:1/x' })
    const first = calls('web_fetch', { url: 'http://a.b.invalid/x' })
    const read = calls('list_files', {})
    const { bot, message } = await granted(first, {}, [read, first, fetching], rules)
    expect(await asksAgain(bot, { in: message })).toBe(false)
    // The failed fetch itself brought what a page could have said.
    expect(await asksAgain(bot, { in: message })).toBe(true)
  })

  test.each<[string, Partial<RulesFile['deciders'][string]>, ScriptedReply]>([
    ['critical', {}, write('api_key=abcdef123456')],
    ['for two', { who: ['user:ben', 'user:cleo'], needed: 2 }, write()],
  ])('is not offered for what is %s, and not taken either', async (_, team, reply) => {
    const rules = asked({ ...named, ...team })
    const bot = await startMemoryBot({ script: [reply, says('Done.')], config: { rules } })
    const message = await bot.memory.say('ana', '@bobbin @run_command it')
    const card = await bot.memory.untilCard(message)
    expect(card.kind === 'approval' && card.payload.grants).toBeUndefined()
    const reason = 'This can only be approved once.'
    expect(await bot.memory.click('ben', card, always())).toEqual({ kind: 'not-allowed', reason })
    expect(bot.rows('select id from grants')).toEqual([])
    expect(bot.memory.cards(message).at(-1)?.state).toBe('pending')
  })

  test('a wider one is refused where none is offered', async () => {
    const bot = await startMemoryBot({ script: [run('rm -rf x'), says('Done.')], config: { rules: asked(named) } })
    const message = await bot.memory.say('ana', '@bobbin @run_command it')
    const card = await bot.memory.untilCard(message)
    const reason = 'Only exactly this call can be allowed.'
    expect(await bot.memory.click('ben', card, always({ pattern: 'wide' }))).toEqual({ kind: 'not-allowed', reason })
  })

  test.each(['cat x | sh', 'cat a > "$(cat b)"', '{ cat a; } >> $X'])(
    'exactly this call is refused where it may do something else next time: %s',
    async (line) => {
      const bot = await startMemoryBot({ script: [run(line), says('Done.')], config: { rules: asked(named) } })
      const message = await bot.memory.say('ana', '@bobbin @run_command it')
      const card = await bot.memory.untilCard(message)
      const reason = 'This exact call can’t always be allowed: it may do something else next time.'
      expect(await bot.memory.click('ben', card, always())).toEqual({ kind: 'not-allowed', reason })
    },
  )

  test('a “no” with “always” is just a no', async () => {
    const bot = await startMemoryBot({ script: [write(), says('Done.')], config: { rules: asked(named) } })
    const message = await bot.memory.say('ana', '@bobbin write it')
    const card = await bot.memory.untilCard(message)
    const { answer } = always()
    await bot.memory.click('ben', card, { kind: 'approval', answer: { ...answer, decision: 'deny' } })
    await bot.memory.eventually(() => expect(bot.memory.answers(message)).toContain('Done.'))
    expect(bot.rows('select id from grants')).toEqual([])
  })
})

describe('how long it holds', () => {
  test('until it expires, and a clock that goes back does not revive it', async () => {
    const { bot, memory, message } = await granted(write(), { forMs: hour }, [write(), write()])
    memory.pass(hour / 2)
    expect(await asksAgain(bot, { in: message })).toBe(false)
    memory.pass(hour / 2)
    await memory.eventually(() => expect(bot.rows('select id from grants where ended_at is null')).toEqual([]))
    memory.pass(-hour)
    expect(await asksAgain(bot, { in: message })).toBe(true)
    expect(await audited(bot)).toContain('revoked')
  })

  test('until somebody ends it, at once', async () => {
    const { bot, memory, message, card } = await granted(write(), {}, [write()])
    const [grant] = bot.rows('select id from grants')
    await memory.say('ben', `@bobbin revoke ${String(grant?.id).replace('grant_', '')}`, { in: message })
    await memory.eventually(() => expect(bot.rows('select id from grants where ended_at is null')).toEqual([]))
    await bot.settled()
    expect(await asksAgain(bot, { in: message })).toBe(true)
    await memory.click('ben', await nextCard(bot, message, card), yes)
    expect((await audited(bot)).filter((kind) => kind === 'revoked')).toHaveLength(1)
  })

  test('until somebody ends it, although a call that it allows is about to start', async () => {
    let before = async () => {}
    const plugin: Capability = { name: 'slow', beforeCall: () => before() }
    const { bot, memory, message, card } = await granted(write(), {}, [write()], asked(named), [plugin])
    const [grant] = bot.rows('select id from grants')
    before = async () => {
      await memory.say('ben', `@bobbin revoke ${String(grant?.id).replace('grant_', '')}`, { in: message })
      await memory.eventually(() => expect(bot.rows('select id from grants where ended_at is null')).toEqual([]))
    }
    await memory.say('ana', '@bobbin again', { in: message })
    await nextCard(bot, message, card)
    expect(bot.rows('select state from calls order by proposed_at')).toEqual([{ state: 'done' }, { state: 'waiting' }])
    expect(bot.rows('select uses from grants')).toEqual([{ uses: 1 }])
  })
})

test('a pattern for commands that an earlier version granted is ended, and the log says why', async () => {
  const { bot } = await granted(run('uname'), { pattern: 'exact' }, [])
  await bot.crashAs(`update grants set binding = '', patterns = '["git status *"]'`)
  await bot.memory.eventually(() => expect(bot.rows('select ended_by from grants where ended_at > 0')).toHaveLength(1))
  expect((await audited(bot)).filter((kind) => kind === 'revoked')).toHaveLength(1)
  const [row] = bot.rows("select data from audit where kind = 'revoked'")
  expect(JSON.parse(String(row?.data))).toMatchObject({ by: 'no longer used: commands have no patterns' })
})
