import { expect, onTestFinished, test } from 'vitest'
import { firstRun } from '../../src/kit/calendar/alarm-times.ts'
import { nextRun, parseWhen } from '../../src/kit/calendar/time.ts'
import { instantOf, localTime, zoneOf } from '../../src/kit/calendar/zone.ts'

const berlin = { now: Date.parse('2026-03-10T11:30:15.250Z'), timeZone: 'Europe/Berlin' }
const when = (text: string, options = berlin) => new Date(parseWhen(text, options)).toISOString()

test.each([
  ['2026-03-11T09:00', '2026-03-11T08:00:00.000Z'],
  ['2026-07-11 09:00:30', '2026-07-11T07:00:30.000Z'],
  ['2026-03-11T09:00Z', '2026-03-11T09:00:00.000Z'],
  ['2026-03-11T09:00:00+05:30', '2026-03-11T03:30:00.000Z'],
  ['2026-03-11T09:00:00.123-0800', '2026-03-11T17:00:00.000Z'],
  ['2020-01-01T00:00', '2019-12-31T23:00:00.000Z'],
  ['in 10 seconds', '2026-03-10T11:30:25.250Z'],
  ['PT10S', '2026-03-10T11:30:25.250Z'],
  ['in 2 hours', '2026-03-10T13:30:15.250Z'],
  ['in an hour and 30 minutes', '2026-03-10T13:00:15.250Z'],
  ['In 1h30m', '2026-03-10T13:00:15.250Z'],
  ['P1DT2H', '2026-03-11T13:30:15.250Z'],
  ['in 3 weeks', '2026-03-31T10:30:15.250Z'], // Summer time has begun: the wall clock's time is kept.
  ['2026-03-29T02:30', '2026-03-29T01:00:00.000Z'], // Left out in spring.
  ['2026-10-25T02:30', '2026-10-25T00:30:00.000Z'], // Twice in autumn: the first.
])('%s', (text, instant) => {
  expect(when(text)).toBe(instant)
})

test('a count of a million digits is refused without looking at it from each digit', () => {
  expect(() => when(`in ${'1'.repeat(1_000_000)}`)).toThrow('no time that I can read')
})

test('of a time that comes twice in autumn, one that has long passed isn’t meant', () => {
  const at = (now: string) => when('2026-10-25T02:30', { ...berlin, now: Date.parse(now) })
  expect(at('2026-10-25T00:15Z')).toBe('2026-10-25T00:30:00.000Z')
  expect(at('2026-10-25T00:30:20Z')).toBe('2026-10-25T00:30:00.000Z')
  expect(at('2026-10-25T00:45Z')).toBe('2026-10-25T01:30:00.000Z')
  expect(at('2026-10-25T01:15Z')).toBe('2026-10-25T01:30:00.000Z')
  expect(at('2026-10-25T05:00Z')).toBe('2026-10-25T01:30:00.000Z')
  const howe = { now: Date.parse('2026-04-04T14:50Z'), timeZone: 'Australia/Lord_Howe' }
  expect(when('2026-04-05T01:45', howe)).toBe('2026-04-04T15:15:00.000Z')
})

test.each([
  '',
  'soon',
  'tomorrow',
  '2026-03-11',
  '0000-01-01T00:00',
  '09:00',
  '2026-02-30T10:00',
  '2026-03-11T25:00',
  'in',
  'in a while',
  'in 2 hours maybe',
  'in 5 parsecs',
  'P',
  'PT',
  'in 999999999999999999999 days',
  'in 99999999999999 seconds',
  '2099-01-01T00:00',
])('refuses %s', (text) => {
  expect(() => parseWhen(text, berlin)).toThrow(expect.objectContaining({ code: 'bad_time' }))
})

const runs = (expression: string, timeZone: string, from: string, count: number) => {
  const found: string[] = []
  for (let after = Date.parse(from); found.length < count; ) {
    after = nextRun(expression, { after, timeZone })
    found.push(new Date(after).toISOString().slice(5, 16))
  }
  return found
}

test.each([
  ['0 9 * * mon-fri', 'Europe/Berlin', '2026-03-27T12:00Z', ['03-30T07:00', '03-31T07:00']],
  ['*/20 * * * *', 'UTC', '2026-01-01T00:00Z', ['01-01T00:20', '01-01T00:40', '01-01T01:00']],
  ['0 0 29 2 *', 'UTC', '2026-01-01T00:00Z', ['02-29T00:00']],
  ['0 0 L * *', 'UTC', '2026-01-31T00:00Z', ['02-28T00:00', '03-31T00:00']],
  ['0 0 * * 5#2', 'UTC', '2026-01-01T00:00Z', ['01-09T00:00', '02-13T00:00']],
  ['0 0 * * 5L', 'UTC', '2026-01-01T00:00Z', ['01-30T00:00', '02-27T00:00']],
  ['0 0 15W * *', 'UTC', '2026-02-01T00:00Z', ['02-16T00:00', '03-16T00:00']],
  ['0 0 13 * 5', 'UTC', '2026-01-01T00:00Z', ['01-02T00:00', '01-09T00:00', '01-13T00:00']],
  ['0 0 */13 * 5', 'UTC', '2026-01-01T00:00Z', ['02-27T00:00', '03-27T00:00']],
  ['@daily', 'Asia/Kolkata', '2026-01-01T00:00Z', ['01-01T18:30', '01-02T18:30']],
  // Spring: 02:00 becomes 03:00 at 01:00 UTC.
  ['30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00Z', ['03-28T01:30', '03-29T01:00', '03-30T00:30']],
  [
    '15,45 2,3 * * *',
    'Europe/Berlin',
    '2026-03-29T00:00Z',
    ['03-29T01:00', '03-29T01:15', '03-29T01:45', '03-30T00:15'],
  ],
  ['*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:15Z', ['03-29T00:30', '03-29T01:00', '03-29T01:30']],
  // Autumn: 03:00 becomes 02:00 at 01:00 UTC.
  ['30 2 * * *', 'Europe/Berlin', '2026-10-24T00:00Z', ['10-24T00:30', '10-25T00:30', '10-26T01:30']],
  ['*/30 * * * *', 'Europe/Berlin', '2026-10-25T00:00Z', ['10-25T00:30', '10-25T01:00', '10-25T01:30', '10-25T02:00']],
  // Half an hour, and a change at midnight.
  ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00Z', ['10-03T15:30', '10-04T15:15']],
  ['0 0 * * *', 'America/Santiago', '2026-09-05T05:00Z', ['09-06T04:00', '09-07T03:00']],
])('%s in %s after %s', (expression, timeZone, from, expected) => {
  expect(runs(expression, timeZone, from, expected.length)).toEqual(expected)
})

test('a day that a zone leaves out is where the next one begins', () => {
  expect(new Date(instantOf(Date.parse('2011-12-30T09:00Z'), 'Pacific/Apia')).toISOString()).toBe(
    '2011-12-30T10:00:00.000Z',
  )
})

test('a run lies after `after`, never at it', () => {
  const at = Date.parse('2026-01-01T09:00:00Z')
  expect(nextRun('0 9 * * *', { after: at, timeZone: 'UTC' })).toBe(at + 86_400_000)
  expect(nextRun('0 9 * * *', { after: at - 1, timeZone: 'UTC' })).toBe(at)
})

test.each(['', 'hello', '60 * * * *', '0 0 31 2 *', '* * * *', '0 0 31 2,4 *'])(
  'refuses the cron expression %s',
  (cron) => {
    expect(() => nextRun(cron, { after: 0, timeZone: 'UTC' })).toThrow(expect.objectContaining({ code: 'bad_cron' }))
  },
)

test('every quarter of an hour around a change of clocks comes back from its wall clock', () => {
  const changes = [
    ['America/New_York', '2026-03-08'],
    ['America/New_York', '2026-11-01'],
    ['Australia/Lord_Howe', '2026-04-05'],
    ['Australia/Lord_Howe', '2026-10-04'],
  ] as const
  for (const [zone, day] of changes) {
    const middle = Date.parse(day)
    for (let instant = middle - 2 * 86_400_000; instant < middle + 2 * 86_400_000; instant += 900_000) {
      const shown = localTime(instant, zone)
      const wall = Date.parse(`${shown.split(' ')[1]}T${shown.split(' ')[2]}Z`)
      const back = instantOf(wall, zone)
      // Equal, or the first of two equal wall times.
      expect(back === instant || localTime(back, zone).slice(0, 25) === shown.slice(0, 25)).toBe(true)
      expect(back).toBeLessThanOrEqual(instant)
    }
  }
})

test.each([
  ['* 9 * * *', '2026-03-01T09:58:30Z'],
  ['* 9 * * *', '2026-03-01T08:00:00Z'],
  ['0,1 9 * * *', '2026-03-01T09:00:30Z'],
])('an alarm with %s repeats too often, also when it is set at %s', (cron, at) => {
  const here = { now: Date.parse(at), timeZone: 'UTC', gapMs: 300_000 }
  expect(() => firstRun(cron, here)).toThrow(expect.objectContaining({ code: 'bad_cron' }))
})

test.each([':/etc/localtime', 'UTC+3', 'Europe/Berlin'])('with TZ=%s the machine has a time zone', (zone) => {
  const before = process.env.TZ
  onTestFinished(() => {
    process.env.TZ = before
  })
  process.env.TZ = zone
  expect(zoneOf('machine')).toBe(zone === 'Europe/Berlin' ? zone : 'UTC')
})
