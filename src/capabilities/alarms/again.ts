import { cronEvery } from '../../kit/calendar/every.ts'
import { alarmsWords } from './words.ts'

const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const atTime = /^(?<minute>\d{1,2}) (?<hour>\d{1,2}) \* \* (?<on>\*|1-5|mon-fri|[0-7])$/i
const everySo = /^(?<unit>|0 )\*(?:\/(?<count>\d{1,2}))?(?: \*){3,4}$/

/** When an alarm goes off again, as people say it; the cron expression itself if there is no short way to say it. */
export function again(cron: string): string {
  const interval = everySo.exec(cron)?.groups
  const count = Number(interval?.count ?? 1)
  if (interval?.unit === '' && cronEvery(count, 'minute') === cron) return alarmsWords.everyMinutes({ count })
  if (interval?.unit === '0 ' && cronEvery(count, 'hour') === cron) return alarmsWords.everyHours({ count })
  const { minute = '', hour, on = '' } = atTime.exec(cron)?.groups ?? {}
  if (hour === undefined) return alarmsWords.byCron({ cron })
  const time = `${hour}:${minute.padStart(2, '0')}`
  if (on === '*') return alarmsWords.everyDay({ time })
  const day = dayNames[Number(on)]
  return day === undefined ? alarmsWords.everyWeekday({ time }) : alarmsWords.everyWeek({ day, time })
}
