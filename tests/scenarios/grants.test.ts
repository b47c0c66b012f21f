import { expect, test } from 'vitest'
import { grantsCommand } from '../../src/cli/grants.ts'
import type { GrantChoice } from '../../src/domain/grant.ts'
import { verifyAudit } from '../../src/store/audit-chain.ts'
import type { RulesFile } from '../../src/trust/rules.ts'
import { bobbinHere as bobbin } from '../commands/support.ts'
import { type MemoryBot, type Message, startMemoryBot } from '../support/memory-platform.ts'
import { calls, type ScriptedReply, says } from '../support/model-server.ts'
import { shippedConfig } from '../support/shipped.ts'
import { storeOf } from '../support/threads.ts'

/** Writing a file is asked; `changes` are of the shipped rules. */
function rulesWith(changes: Partial<RulesFile> = {}): RulesFile {
  const { rules } = shippedConfig()
  const write_file = { approvals: true, mode: 'confirm' as const, risk: 'medium' as const }
  // Who only takes part decides for the thread alone.
  const team = { who: ['participants', 'operator', 'user:ben'], asker: true, needed: 1 }
  const deciders = { ...rules.deciders, team }
  return { ...rules, deciders, ...changes, tools: { ...rules.tools, write_file } }
}

const write = (path: string) => calls('write_file', { path, content: 'x' })

const always = (choice: Partial<GrantChoice> = {}) => ({
  kind: 'approval' as const,
  answer: { decision: 'approve' as const, always: { pattern: 'exact' as const, scope: 'thread' as const, ...choice } },
})

/** A thread in which ana asked for a file, and ben said “always”. */
async function granted(
  choice: Partial<GrantChoice> = {},
  rules = rulesWith(),
): Promise<{ bot: MemoryBot; first: Message; script: ScriptedReply[] }> {
  const script = [write('outputs/a.txt'), says('First.')]
  const bot = await startMemoryBot({ script, config: { rules } })
  const { memory } = bot
  const first = await memory.say('ana', '@bobbin write it')
  await memory.say('ben', 'yes please', { in: first })
  const card = await memory.untilCard(first)
  expect(await memory.click('ben', card, always(choice))).toMatchObject({ kind: 'taken' })
  await memory.eventually(() => expect(memory.answers(first)).toContain('First.'))
  await bot.settled()
  return { bot, first, script }
}

/** What the bot says to a command. */
async function command({ memory, settled }: MemoryBot, person: string, text: string, first: Message): Promise<string> {
  const before = memory.answers(first).length
  await memory.say(person, `@bobbin ${text}`, { in: first })
  await memory.eventually(() => expect(memory.answers(first)).toHaveLength(before + 1))
  await settled()
  return memory.answers(first).at(-1) ?? ''
}

const idIn = (text: string): string => /`(\d[0-9a-z]{13})`/.exec(text)?.[1] ?? ''

const audited = (bot: MemoryBot, kind: string) =>
  bot.rows(`select data from audit where kind = '${kind}'`).map(({ data }) => JSON.parse(String(data)))

test('a grant is listed, used and ended, and then approval is asked again', async () => {
  const { bot, first, script } = await granted()
  const { memory } = bot
  const listed = await command(bot, 'carl', 'grants', first)
  expect(listed).toMatch(
    /^In this thread I don’t ask before:\n- `\d\w{13}` write_file: `outputs\/a\.txt` · one thread · without end · exactly this call · by ben · used 1 time\n\nSay `revoke`/,
  )
  script.push(write('outputs/a.txt'), says('Second.'))
  await memory.say('ana', 'again', { in: first })
  await memory.eventually(() => expect(memory.answers(first)).toContain('Second.'))
  await bot.settled()
  expect(await command(bot, 'ana', 'grants', first)).toContain('used 2 times\n')

  expect(await command(bot, 'ben', `revoke ${idIn(listed)}`, first)).toMatch(
    /^I’ll ask again before write_file: `outputs\/a\.txt` \(`\d\w{13}`\)\.$/,
  )
  expect(await command(bot, 'ben', 'grants', first)).toBe('Nothing is always allowed here: I ask each time.')
  expect(await command(bot, 'ben', `revoke ${idIn(listed)}`, first)).toMatch(/^Nothing with the id \w+ is allowed here/)
  expect(audited(bot, 'revoked')).toEqual([expect.objectContaining({ tool: 'write_file', by: 'ben' })])

  script.push(write('outputs/a.txt'), says('Third.'))
  await memory.say('ana', 'once more', { in: first })
  expect(await memory.untilCard(first)).toMatchObject({ kind: 'approval', payload: { tool: 'write_file' } })
})

test('only somebody who may decide, or who gave it, can end it', async () => {
  const deciders = { ops: { who: ['group:ops'], asker: true, needed: 1 } }
  const decide = { low: 'ops', medium: 'ops', high: 'ops', critical: 'ops' }
  const rules = rulesWith({ deciders, decide })
  const bot = await startMemoryBot({ script: [write('outputs/a.txt'), says('First.')], config: { rules } })
  const { memory } = bot
  memory.world.groups.set('ops', ['ben', 'dora'])
  const first = await memory.say('ana', '@bobbin write it')
  await memory.click('ben', await memory.untilCard(first), always())
  await memory.eventually(() => expect(memory.answers(first)).toContain('First.'))
  await bot.settled()

  const id = idIn(await command(bot, 'ana', 'grants', first))
  expect(await command(bot, 'ana', `revoke ${id}`, first)).toBe('Only group ops, or ben, who allowed it, can end this.')
  expect(audited(bot, 'refused')).toEqual([expect.objectContaining({ by: 'ana', grant: expect.stringContaining(id) })])
  expect(bot.rows('select ended_at from grants')).toEqual([{ ended_at: null }])

  await command(bot, 'ana', `revoke ${id}`, first)
  await command(bot, 'ana', `revoke ${id}`, first)
  expect(audited(bot, 'refused')).toHaveLength(1)

  // Whoever gave it may, also without the group.
  memory.world.groups.set('ops', ['dora'])
  expect(await command(bot, 'ben', `revoke ${id}`, first)).toMatch(/^I’ll ask again/)
  expect(audited(bot, 'refused').at(-1)).toMatchObject({ by: 'ana', grant: expect.stringContaining(id), times: 2 })
  expect(bot.rows("select name from notes where name like 'refused:%'")).toEqual([])
})

test('refused changes of a skill are logged within an hour or two, although a skill has no end', async () => {
  const deciders = { ops: { who: ['group:ops'], asker: false, needed: 1 } }
  const decide = { low: 'ops', medium: 'ops', high: 'ops', critical: 'ops' }
  const rules = rulesWith({ deciders, decide })
  const bot = await startMemoryBot({ script: [says('Hello.')], config: { rules, engine: { clockMs: 20 } } })
  const { memory } = bot
  const first = await memory.say('ana', '@bobbin hello')
  await memory.eventually(() => expect(memory.answers(first)).toContain('Hello.'))
  for (let time = 0; time < 3; time++) await command(bot, 'ana', 'skills off pdf', first)
  expect(audited(bot, 'refused')).toHaveLength(1)
  memory.pass(2 * 3_600_000)
  await memory.eventually(() => expect(audited(bot, 'refused')).toHaveLength(2))
  expect(audited(bot, 'refused')).toMatchObject([
    { by: 'ana', skill: 'pdf' },
    { by: 'ana', skill: 'pdf', times: 2 },
  ])
  expect(bot.rows("select name from notes where name like 'refused:%'")).toEqual([])
})

test('somebody in the deciding group can end what another gave', async () => {
  const deciders = { ops: { who: ['group:ops'], asker: false, needed: 1 } }
  const decide = { low: 'ops', medium: 'ops', high: 'ops', critical: 'ops' }
  const bot = await startMemoryBot({
    script: [write('outputs/a.txt'), says('First.')],
    config: { rules: rulesWith({ deciders, decide }) },
  })
  const { memory } = bot
  memory.world.groups.set('ops', ['ana', 'ben'])
  const first = await memory.say('ana', '@bobbin write it')
  await memory.click('ben', await memory.untilCard(first), always({ scope: 'channel' }))
  await memory.eventually(() => expect(memory.answers(first)).toContain('First.'))
  await bot.settled()
  // She asked for it, so she could not have allowed it; to take it back she may.
  expect(await command(bot, 'ana', `revoke ${idIn(await command(bot, 'ana', 'grants', first))}`, first)).toMatch(
    /^I’ll ask again/,
  )
})

test('it is listed where it holds, and nowhere else', async () => {
  const { bot, first, script } = await granted({ scope: 'channel', forMs: 3_600_000 })
  const { memory } = bot
  script.push(says('Hello.'), says('Hello.'))
  const beside = await memory.say('eve', '@bobbin hello')
  const away = await memory.say('eve', '@bobbin hello', { channel: 'random' })
  await bot.settled()
  const listed = await command(bot, 'eve', 'grants', beside)
  expect(listed).toMatch(/the whole channel · until \d{4}-\d\d-\d\d \d\d:\d\d UTC · exactly this call · by ben/)
  expect(await command(bot, 'eve', 'grants', away)).toMatch(/^Nothing is always allowed here/)
  expect(await command(bot, 'eve', `revoke ${idIn(listed)}`, away)).toMatch(/^Nothing with the id/)

  memory.pass(3_600_001)
  expect(await command(bot, 'ana', 'grants', first)).toMatch(/^Nothing is always allowed here/)
})

test('a word that is not an id goes to the model, and `revoke` alone asks for one', async () => {
  const { bot, first, script } = await granted()
  const { memory } = bot
  expect(await command(bot, 'ana', 'revoke', first)).toMatch(/^Which one\? Say `revoke` and an id\./)
  script.push(says('That is for you to say.'))
  await memory.say('ana', '@bobbin revoke that', { in: first })
  await memory.eventually(() => expect(memory.answers(first)).toContain('That is for you to say.'))
  expect(bot.rows('select ended_at from grants')).toEqual([{ ended_at: null }])
})

test('the command line lists and ends it while the bot runs', async () => {
  const { bot, first } = await granted()
  const run = (...args: string[]) =>
    bobbin(bot.dataDir, ...args, bot.config.databaseUrl ? { DATABASE_URL: bot.config.databaseUrl } : {})
  const listed = await run('grants')
  expect(listed.out).toMatch(
    /^grant_\w{21} {2}memory\/team\/general {2}write_file: outputs\/a\.txt · one thread · without end · exactly this call · by ben · used 1 time\n$/,
  )
  const [id = ''] = listed.out.split(' ')
  const ended = await run('grants', 'revoke', id.slice(0, 20))
  expect(ended).toEqual({ code: 0, out: `${id} has ended: write_file needs approval again.\n`, err: '' })
  expect(await command(bot, 'ana', 'grants', first)).toMatch(/^Nothing is always allowed here/)

  expect((await run('grants')).out).toBe('Nothing is always allowed.\n')
  expect((await run('grants', '--all')).out).toMatch(/ · ended .{16} UTC by the operator\n$/)
  expect(await run('grants', 'revoke', id)).toMatchObject({ code: 1, err: /had ended already/ })
  await expect(grantsCommand(['give', id])).rejects.toMatchObject({ message: 'There is no "grants give".' })
  await expect(grantsCommand(['revoke'])).rejects.toMatchObject({ message: 'Which one should be revoked?' })
  expect(await verifyAudit((await storeOf(bot)).db)).toMatchObject({ ok: true })
})
