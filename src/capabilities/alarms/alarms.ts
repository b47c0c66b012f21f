import type { Failure } from '../../kit/failure.ts'
import { nextAlarm, type StoredAlarm } from '../../store/alarms.ts'
import type { Capability } from '../../turn/port/capability.ts'
import { alarmCancel } from './alarm-cancel.ts'
import { alarmList } from './alarm-list.ts'
import { alarmSet } from './alarm-set.ts'
import { alarm, alarms as alarmsCommand } from './commands.ts'
import { now } from './now.ts'
import { ringAlarms } from './ring.ts'
import { alarmsOf } from './session-alarms.ts'

const text =
  'To do something later, use alarm_set; do not wait. For the current time, use now: this prompt has only the time when the thread began.'

/** Waking a thread at a time, and telling the time. */
export const alarms: Capability = {
  name: 'alarms',
  tools: [now, alarmSet, alarmList, alarmCancel],
  prompt: () => [{ name: 'Time', text }],
  commands: () => [alarm, alarmsCommand],
  context({ bot, lease, row }, call) {
    const { alarmGapMs } = bot.config.tools
    return { alarms: alarmsOf(bot.store, lease, row.person, call), limits: { alarmGapMs } }
  },
  start({ config: { access }, store, engine, clock, platforms, report, whenDue }) {
    const told = new Set<string>()
    const silenced = ({ id, session }: StoredAlarm, why: Failure) => {
      const key = `${id} ${why.code}`
      if (told.has(key)) return
      told.add(key)
      report('an alarm doesn’t ring', { session, alarm: id })(why)
    }
    const ringing = { store, engine, access, platforms, silenced }
    whenDue('alarms', nextAlarm([...platforms.keys()]), () => ringAlarms(ringing, clock.now()))
  },
}
