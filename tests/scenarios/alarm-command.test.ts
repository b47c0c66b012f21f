import { describe, expect, test } from 'vitest'
import { again } from '../../src/capabilities/alarms/again.ts'
import { readAlarm } from '../../src/capabilities/alarms/read-alarm.ts'
import { startTestBot, type TestBotOptions } from '../support/bot.ts'
import { type MemoryBot, type Message, startMemoryBot } from '../support/memory-platform.ts'
import { says } from '../support/model-server.ts'
import { minute } from './trust.ts'

async function start(config: TestBotOptions['config'] = {}): Promise<MemoryBot> {
  const bot = await startMemoryBot({ script: () => says('Done.'), config: { engine: { clockMs: 20 }, ...config } })
  bot.memory.passQuarter()
  return bot
}

/** What the bot says to a command in a thread. */
async function told(
  { memory }: MemoryBot,
  text: string,
  message?: Message,
  person = 'ana',
): Promise<{ message: Message; text: string }> {
  const before = message === undefined ? 0 : memory.answers(message).length
  const said = await memory.say(person, `@bobbin ${text}`, message && { in: message })
  const thread = message ?? said
  await memory.eventually(() => expect(memory.answers(thread).length).toBeGreaterThan(before))
  return { message: thread, text: memory.answers(thread).at(-1) ?? '' }
}

test('alarm sets one without the model, alarms shows it, and it wakes the bot', async () => {
  const bot = await start()
  const { message, text } = await told(bot, 'alarm in 10 minutes: stretch')
  expect(text).toMatch(/^Alarm set: `\d\w+` \w+day .*: stretch$/)
  expect((await told(bot, 'alarms', message)).text).toMatch(/^Alarms in this thread:\n- `\d\w+` .*: stretch$/)
  expect(bot.model.requests).toEqual([])
  bot.memory.pass(11 * minute)
  await bot.memory.eventually(() => expect(bot.memory.answers(message).at(-1)).toBe('Done.'))
  expect(JSON.stringify(bot.model.requests[0]?.messages)).toContain('stretch')
  expect((await told(bot, 'alarms', message)).text).toContain('There are no alarms in this thread.')
})

test('alarm cancel cancels one, by the beginning of its id', async () => {
  const bot = await start()
  const { message, text } = await told(bot, 'alarm every weekday at 9: stand-up')
  expect(text).toContain('09:00:00 (UTC), then again every weekday at 9:00: stand-up')
  await told(bot, 'alarm tomorrow at 5 pm call Ben', message)
  const [, id = ''] = /`(\w+)`/.exec(text) ?? []
  expect((await told(bot, 'alarm cancel', message)).text).toContain('Which one?')
  expect((await told(bot, `alarm cancel ${id}`, message)).text).toContain('Alarm cancelled: ')
  expect((await told(bot, `alarm cancel ${id}`, message)).text).toContain('no such alarm')
  expect((await told(bot, 'alarms', message)).text.split('\n')).toHaveLength(2)
})

test('one’s own alarm can be cancelled from any thread, by its whole id; those of others only in theirs', async () => {
  const bot = await start()
  const { message, text } = await told(bot, 'alarm every weekday at 9: stand-up')
  const [, id = ''] = /`(\w+)`/.exec(text) ?? []
  const cancel = async (person: string, what: string) =>
    (await told(bot, `alarm cancel ${what}`, undefined, person)).text
  expect(await cancel('ben', id)).toContain('no such alarm')
  expect(await cancel('ana', id.slice(0, -1))).toContain('no such alarm')
  // Others read along, so it doesn’t say what for.
  expect(await cancel('ana', id)).toMatch(new RegExp(`^Alarm cancelled: \`${id}\` \\w+day .*09:00:00 \\(UTC\\)$`))
  expect((await told(bot, 'alarms', message)).text).toContain('There are no alarms in this thread.')
  expect(await cancel('ana', id)).toContain('no such alarm')

  const own = /`(\w+)`/.exec((await told(bot, 'alarm tomorrow at 9: tea', message)).text)?.[1]
  expect((await told(bot, `alarm cancel ${own}`, message, 'ben')).text).toContain('Alarm cancelled: ')
})

test('where the asker’s time zone isn’t known, it is the one of the settings', async () => {
  const bot = await start({ agent: { timeZone: 'Europe/Berlin' } })
  const { text } = await told(bot, 'alarm every weekday at 9: stand-up')
  expect(text).toMatch(/09:00:00 \(Europe\/Berlin, UTC\+0[12]:00\)/)
})

test('the time zone is the asker’s, and the limits are those of alarm_set', async () => {
  const bot = await startTestBot({
    script: [],
    clock: { now: () => Date.parse('2026-03-02T07:30:00Z') },
    config: { tools: { alarmGapMs: 3_600_000 } },
  })
  const say = async (text: string) => {
    const { events } = await bot.chat.say(text, { timeZone: 'Asia/Tokyo' })
    return events
      .flatMap((one) => (one.type === 'message' && one.data.role === 'assistant' ? [one.data.text] : []))
      .join()
  }
  expect(await say('alarm at 9:00 tea')).toContain('Tuesday 2026-03-03 09:00:00 (Asia/Tokyo, UTC+09:00): tea')
  expect(await say('alarm at 17:00 tea')).toContain('Monday 2026-03-02 17:00:00 (Asia/Tokyo')
  expect(await say('alarm friday at 8: tea')).toContain('Friday 2026-03-06 08:00:00 (Asia/Tokyo')
  expect(await say('alarm 2026-03-02T18:00 tea')).toContain('Monday 2026-03-02 18:00:00 (Asia/Tokyo')
  expect(await say('alarm today at 8: tea')).toContain('That time has passed')
  expect(await say('alarm 2020-03-02T18:00 tea')).toContain('has passed')
  expect(await say('alarm every 15 minutes: tea')).toContain('An alarm can repeat every 60 minutes at most.')
  expect(await say('alarm every 90 minutes: tea')).toContain('I can’t repeat an alarm every 90 minutes')
  expect(await say('alarm every 5 hours: tea')).toContain('1, 2, 3, 4, 6, 8, 12 or 24 hours')
  expect(await say('/alarm whenever: tea')).toContain('Say when and what for')
  expect(await say('/alarm at 9 every weekday: tea')).toContain('Say when and what for')
})

test('a time that comes twice when clocks go back is the next of the two', async () => {
  let now = '2026-10-25T00:14:00Z'
  const bot = await startTestBot({ script: () => says('Done.'), clock: { now: () => Date.parse(now) } })
  const say = async (at: string, text: string) => {
    now = at
    const { events } = await bot.chat.say(text, { timeZone: 'Europe/Berlin' })
    return events
      .flatMap((one) => (one.type === 'message' && one.data.role === 'assistant' ? [one.data.text] : []))
      .join()
  }
  const [first, second] = [
    'Sunday 2026-10-25 02:30:00 (Europe/Berlin, UTC+02',
    'Sunday 2026-10-25 02:30:00 (Europe/Berlin, UTC+01',
  ]
  expect(await say('2026-10-25T00:15:00Z', 'alarm at 2:30: tea')).toContain(first)
  expect(await say('2026-10-25T00:45:00Z', 'alarm at 2:30: tea')).toContain(second)
  expect(await say('2026-10-25T01:15:00Z', 'alarm at 2:30: tea')).toContain(second)
  expect(await say('2026-10-25T01:16:00Z', 'alarm today at 2:30: tea')).toContain(second)
  expect(await say('2026-10-25T01:17:00Z', 'alarm on sunday at 2:30: tea')).toContain(second)
  expect(await say('2026-10-25T01:18:00Z', 'alarm 2026-10-25T02:30 tea')).toContain(second)
  expect(await say('2026-10-25T01:45:00Z', 'alarm at 2:30: tea')).toContain('Monday 2026-10-26 02:30:00')
})

describe('the words of an alarm', () => {
  test.each([
    ['in 10 minutes: stretch', { at: 'in 10 minutes' }, 'stretch'],
    ['in 2 hours and 5 minutes to call Ben', { at: 'in 2 hours and 5 minutes' }, 'call Ben'],
    ['in an hour, tea', { at: 'in an hour' }, 'tea'],
    ['at 9:00 check: it', { hour: 9, minute: 0, day: 'next' }, 'check: it'],
    ['at 9: tea', { hour: 9, minute: 0, day: 'next' }, 'tea'],
    ['at 5 pm tomorrow: tea', { hour: 17, minute: 0, day: 'tomorrow' }, 'tea'],
    ['tomorrow 12:30 am tea', { hour: 0, minute: 30, day: 'tomorrow' }, 'tea'],
    ['on Monday at 8.15: tea', { hour: 8, minute: 15, day: 1 }, 'tea'],
    ['Friday at 8: tea', { hour: 8, minute: 0, day: 5 }, 'tea'],
    ['fridays at 8: tea', { cron: '0 8 * * 5' }, 'tea'],
    ['weekday at 8: tea', { cron: '0 8 * * 1-5' }, 'tea'],
    ['weekdays at 8: tea', { cron: '0 8 * * 1-5' }, 'tea'],
    ['every weekday at 9: tea', { cron: '0 9 * * 1-5' }, 'tea'],
    ['every mondays at 9:30 tea', { cron: '30 9 * * 1' }, 'tea'],
    ['daily at 7 am: tea', { cron: '0 7 * * *' }, 'tea'],
    ['every 15 minutes: tea', { cron: '*/15 * * * *' }, 'tea'],
    ['every 60 minutes: tea', { cron: '0 * * * *' }, 'tea'],
    ['every 120 minutes: tea', { cron: '0 */2 * * *' }, 'tea'],
    ['every 12 hours: tea', { cron: '0 */12 * * *' }, 'tea'],
    ['every 24 hours: tea', { cron: '0 0 * * *' }, 'tea'],
    ['every 45 minutes: tea', { uneven: '45 minutes' }, 'tea'],
    ['every 0 minutes: tea', { uneven: '0 minutes' }, 'tea'],
    ['every 5 hours: tea', { uneven: '5 hours' }, 'tea'],
    ['every hour tea', { cron: '0 * * * *' }, 'tea'],
    ['cron 0 9 * * mon-fri: tea', { cron: '0 9 * * mon-fri' }, 'tea'],
    ['2026-03-02 18:00+01:00: tea', { at: '2026-03-02 18:00+01:00' }, 'tea'],
    ['at 5 p.m. call Ben', { hour: 17, minute: 0, day: 'next' }, 'call Ben'],
    ['tomorrow at 5 a.m.: tea', { hour: 5, minute: 0, day: 'tomorrow' }, 'tea'],
    ['at 5 pm. Call Ben', { hour: 17, minute: 0, day: 'next' }, 'Call Ben'],
    ['at 9 : 3 people come', { hour: 9, minute: 0, day: 'next' }, '3 people come'],
    ['at 9: every desk is checked', { hour: 9, minute: 0, day: 'next' }, 'every desk is checked'],
    ['at 9, test it', { hour: 9, minute: 0, day: 'next' }, 'test it'],
    ['at 9 eat in the sun', { hour: 9, minute: 0, day: 'next' }, 'eat in the sun'],
    ['in 10 minutes on-call ends', { at: 'in 10 minutes' }, 'on-call ends'],
    ['in 5 minutes for tea', { at: 'in 5 minutes' }, 'for tea'],
    ['at 9 monitor the build', { hour: 9, minute: 0, day: 'next' }, 'monitor the build'],
    ['at 9 a meeting', { hour: 9, minute: 0, day: 'next' }, 'a meeting'],
  ])('%j', (text, time, message) => {
    expect(readAlarm(text)).toEqual({ time, message })
  })

  test.each([
    'in the building rang',
    'in 10 minutes',
    'at home: tea',
    'at 25: tea',
    'at 13 pm tea',
    'every now and then',
    // More about the time than is understood.
    'at 9 every weekday: tea',
    'at 5 pm every day: tea',
    'at 9 daily: tea',
    'at 9 mondays: tea',
    'at 9 o’clock fri: tea',
    'at 9 Fri: tea',
    'at 9 on Mondays: tea',
    'at 9 next Monday: tea',
    'at 9 on weekdays, tea',
    'at 9 on 3 March: tea',
    'at 9 March 3: tea',
    'at 9 and 17: tea',
    'at 9 tomorrow and Friday: tea',
    'at 9 tomorrow evening: tea',
    'at 9 in the evening: tea',
    'at 9 tonight: tea',
    'at 9 in 2 days: tea',
    'at 9, every weekday: tea',
    'at 9 , every weekday: tea',
    'at 9:5 tea',
    'at 9:00:30 tea',
    'at 9 30: tea',
    'at 9 to 10: tea',
    'at 9 – 10: tea',
    'at 17:00 UTC: tea',
    'at 17:00 (CET): tea',
    'at 17:00 PT: tea',
    'at 17:00 Berlin time: tea',
    'at 17:00 Europe/Berlin: tea',
    '2026-03-02 18:00 CET: tea',
    '2026-03-02 18:00 +01:00 daily: tea',
    'in 2 days at 9: tea',
    'in 2 days at noon: tea',
    'in an hour and a half: tea',
    'in 1 hour 30: tea',
    'in 1 hour 30 minutes every day: tea',
    'in an hour a minute each day: tea',
    'every hour until 5 pm: tea',
    'every hour from 9: tea',
    'every hour on weekdays: tea',
    'every day at 9 for 2 weeks: tea',
    'every hour for a week: tea',
    'cron 0 0 9 * * 1 tea',
    'cron 0 0 9 1 * * tea',
  ])('%j is none', (text) => {
    expect(readAlarm(text)).toBeUndefined()
  })
})

test('words in capitals are no time zones, and spaces without end take no time to speak of', () => {
  for (const message of ['IT meeting', 'GET the data', 'VAT return'])
    expect(readAlarm(`at 9 ${message}`)).toMatchObject({ message })
  for (const more of ['CET call Ben', 'NZST call Ben', '(PDT) call Ben'])
    expect(readAlarm(`at 9 ${more}`)).toBeUndefined()
  expect(readAlarm(`at 9${' '.repeat(40_000)}5 foo`)).toBeUndefined()
})

test.each([
  ['every day at 9:05', 'every day at 9:05'],
  ['every weekday at 8', 'every weekday at 8:00'],
  ['every friday at 5 pm', 'every Friday at 17:00'],
  ['every minute', 'every minute'],
  ['every 15 minutes', 'every 15 minutes'],
  ['every hour', 'every hour'],
  ['every 6 hours', 'every 6 hours'],
  ['cron "30 9 1 * *"', 'by "30 9 1 * *"'],
  ['cron "*/45 * * * *"', 'by "*/45 * * * *"'],
  ['cron "0 */5 * * *"', 'by "0 */5 * * *"'],
])('an alarm %s is said to come %s', (said, expected) => {
  const time = readAlarm(`${said}: stretch`)?.time
  expect(time !== undefined && 'cron' in time && again(time.cron)).toBe(expected)
})
