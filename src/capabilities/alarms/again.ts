import { alarmsWords } from './words.ts'

const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const atTime = /^(?<minute>\d{1,2}) (?<hour>\d{1,2}) \* \* (?<on>\*|1-5|mon-fri|[0-7])$/i
const everyMinutes = /^\*(?:\/(?<count>\d{1,2}))? \* \* \* \*$/
const everyHours = /^0 \*(?:\/(?<count>\d{1,2}))? \* \* \*$/

/** When an alarm goes off again, as people say it; the cron expression itself if there is no short way to say it. */
export function again(cron: string): string {
  const minutes = everyMinutes.exec(cron)
  if (minutes !== null) return alarmsWords.everyMinutes({ count: Number(minutes.groups?.count ?? 1) })
  const hours = everyHours.exec(cron)
  if (hours !== null) return alarmsWords.everyHours({ count: Number(hours.groups?.count ?? 1) })
  const { minute = '', hour, on = '' } = atTime.exec(cron)?.groups ?? {}
  if (hour === undefined) return alarmsWords.byCron({ cron })
  const time = `${hour}:${minute.padStart(2, '0')}`
  if (on === '*') return alarmsWords.everyDay({ time })
  const day = dayNames[Number(on)]
  return day === undefined ? alarmsWords.everyWeekday({ time }) : alarmsWords.everyWeek({ day, time })
}
