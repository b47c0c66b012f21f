import type { Person } from '../../domain/chat.ts'
import { type AlarmId, newId, shortAlarmId } from '../../domain/ids.ts'
import { firstRun, mostAlarms, onceAt } from '../../kit/calendar/alarm-times.ts'
import { dayMs, instantOf, localTime, wallOf } from '../../kit/calendar/zone.ts'
import { Failure } from '../../kit/failure.ts'
import { oneLine } from '../../kit/text/text.ts'
import { alarmsIn, cancelAlarm, insertAlarm, pendingAlarms, type StoredAlarm } from '../../store/alarms.ts'
import { findSession } from '../../store/sessions.ts'
import type { CommandResult, ThreadCommand, ThreadContext } from '../../turn/port/command.ts'
import { again } from './again.ts'
import { type AlarmTime, readAlarm } from './read-alarm.ts'
import { alarmsWords } from './words.ts'

/** Any further ones are counted instead of listed. */
const mostShown = 30

/** How many of a person's alarms are looked at. */
const mostLookedAt = 1000

const cancels = /^cancel(?:\s+`?(?<id>(?:alarm_)?\d[0-9a-z]{0,31})`?)?$/i

export const alarm: ThreadCommand = {
  name: 'alarm',
  summary: alarmsWords.alarmSummary(),
  argument: { name: 'when', pattern: { test: (text) => cancels.test(text) || readAlarm(text) !== undefined } },
  about: 'thread',
  async run(context) {
    if (context.argument === '') return alarms.run(context)
    const cancelled = cancels.exec(context.argument)
    return cancelled ? cancel(cancelled.groups?.id ?? '', context) : set(context)
  },
}

export const alarms: ThreadCommand = {
  name: 'alarms',
  summary: alarmsWords.alarmsSummary(),
  about: 'thread',
  async run(context) {
    const pending = await pendingAlarms(context.deps.store.db, context.session.id)
    if (pending.length === 0) return alarmsWords.noAlarms({ usage: alarmsWords.usage() })
    const lines = pending.slice(0, mostShown).map((one) => `- ${described(one, zoneOf(context))}`)
    const more = pending.length > mostShown ? [`- ${alarmsWords.andMore({ count: pending.length - mostShown })}`] : []
    return [alarmsWords.alarmsTitle(), ...lines, ...more].join('\n')
  },
}

const zoneOf = ({ timeZone, session }: ThreadContext): string => timeZone ?? session.timeZone

const described = (one: StoredAlarm, timeZone: string): string => {
  const message = oneLine(one.message.replace(/[`*_~<>|[\]\\#]/g, ''), 120)
  const about = { id: shortAlarmId(one.id), at: localTime(one.dueAt, timeZone), message }
  return one.cron === undefined ? alarmsWords.once(about) : alarmsWords.repeating({ ...about, again: again(one.cron) })
}

async function set(context: ThreadContext): Promise<CommandResult> {
  const { argument, session, person, deps } = context
  const words = readAlarm(argument)
  if (words === undefined) return alarmsWords.usage()
  const timeZone = zoneOf(context)
  const cron = 'cron' in words.time ? words.time.cron : undefined
  const dueAt = dueOf(words.time, { now: deps.clock.now(), timeZone, gapMs: deps.alarmGapMs })
  return {
    async act(tx) {
      if ((await pendingAlarms(tx.db, session.id)).length >= mostAlarms)
        return alarmsWords.tooManyAlarms({ mostAlarms })
      const id = newId('alarm', tx.now)
      const set = { id, session: session.id, person, message: words.message, dueAt, timeZone, cron }
      await insertAlarm(tx, set)
      return alarmsWords.isSet({ what: described(set, timeZone) })
    },
  }
}

function dueOf(time: AlarmTime, here: { now: number; timeZone: string; gapMs: number }): number {
  if ('uneven' in time)
    throw new Failure(
      'bad_cron',
      alarmsWords.unevenInterval({ interval: time.uneven }),
      alarmsWords.unevenIntervalRemedy(),
    )
  if ('cron' in time) return firstRun(time.cron, here)
  return 'at' in time ? onceAt(time.at, here) : nextTime(time, here)
}

/** The next time a clock on the wall shows it, on that day. Throws `bad_time` if that has passed. */
function nextTime(
  { hour, minute, day }: Extract<AlarmTime, { hour: number }>,
  { now, timeZone }: { now: number; timeZone: string },
): number {
  const wall = wallOf(now, timeZone)
  const today = Math.floor(wall / dayMs) * dayMs
  const onDay = (days: number) => instantOf(today + days * dayMs + (hour * 60 + minute) * 60_000, timeZone, now)
  if (day === 'tomorrow') return onDay(1)
  const isPast = onDay(0) <= now
  if (day === 'today' && isPast)
    throw new Failure('bad_time', alarmsWords.pastTime({ now: localTime(now, timeZone) }), alarmsWords.pastTimeRemedy())
  if (typeof day !== 'number') return onDay(isPast ? 1 : 0)
  const ahead = (day - new Date(wall).getUTCDay() + 7) % 7
  return onDay(ahead === 0 && isPast ? 7 : ahead)
}

async function cancel(wanted: string, context: ThreadContext): Promise<CommandResult> {
  const { session, person, deps } = context
  const prefix: AlarmId = `alarm_${wanted.toLowerCase().replace(/^alarm_/, '')}`
  const pending = await pendingAlarms(deps.store.db, session.id)
  const [here, another] = wanted === '' ? pending : pending.filter(({ id }) => id.startsWith(prefix))
  const one = here ?? (await ownElsewhere(prefix, person, context))
  if (one === undefined) return alarmsWords.unknownAlarm()
  if (another !== undefined) return alarmsWords.whichOne()
  // Whoever reads along here may not be in its thread.
  const what =
    one.session === session.id
      ? described(one, zoneOf(context))
      : alarmsWords.elsewhere({ id: shortAlarmId(one.id), at: localTime(one.dueAt, zoneOf(context)) })
  return {
    act: async (tx) =>
      (await cancelAlarm(tx, one.session, one.id)) ? alarmsWords.isCancelled({ what }) : alarmsWords.alarmOver(),
  }
}

/** An alarm that the person has set in another thread of the workspace, by its id as `alarms` shows it. */
async function ownElsewhere(id: AlarmId, person: Person, { session, deps }: ThreadContext) {
  const { db } = deps.store
  const { platform, tenant } = session.thread
  for (const alarm of await alarmsIn(db, person.id, mostLookedAt)) {
    if (`alarm_${shortAlarmId(alarm.id)}` !== id && alarm.id !== id) continue
    const there = (await findSession(db, alarm.session))?.thread
    if (there?.platform === platform && there.tenant === tenant) return alarm
  }
  return undefined
}
