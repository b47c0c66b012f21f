import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about alarms: answers to commands, complaints, findings. */
export const alarmsWords = catalogue({
  // titles of calls
  settingAlarm: 'Setting an alarm: {time}',
  cancellingAlarm: 'Cancelling an alarm',
  listingAlarms: 'Looking at the alarms',
  lookingAtClock: 'Checking the time',

  // rings
  lastRingUnread: 'Its last ring hasn’t been read yet.',
  lastAnswerUnposted: 'The answer to its last ring couldn’t be posted yet.',

  // commands
  alarmSummary:
    'sets an alarm in this thread: `alarm in 10 minutes: …`, `alarm every weekday at 9: …`; `alarm cancel` and an id cancels one',
  alarmsSummary: 'lists the alarms of this thread',
  usage:
    'Say when and what for, such as `alarm in 10 minutes: stretch`, `alarm at 9:00 call Ben`, `alarm tomorrow at 5 pm: …` or `alarm every weekday at 9: …`. `alarms` lists them, and `alarm cancel` with an id cancels one.',
  once: '`{id}` {at}: {message}',
  repeating: '`{id}` {at}, then again {again}: {message}',
  everyMinutes: 'every {count, plural, one {minute} other {# minutes}}',
  everyHours: 'every {count, plural, one {hour} other {# hours}}',
  everyDay: 'every day at {time}',
  everyWeekday: 'every weekday at {time}',
  everyWeek: 'every {day} at {time}',
  byCron: 'by "{cron}"',
  andMore: 'and {count} more',
  isSet: 'Alarm set: {what}',
  isCancelled: 'Alarm cancelled: {what}',
  elsewhere: '`{id}` {at}',
  whichOne: 'Which one? Say `alarm cancel` and an id. `alarms` lists them.',
  noAlarms: 'There are no alarms in this thread. {usage}',
  alarmsTitle: 'Alarms in this thread:',
  tooManyAlarms: 'This thread already has {mostAlarms} alarms. Cancel some first: `alarms` lists them.',
  pastTime: 'That time has passed: it’s {now} now.',
  pastTimeRemedy: 'Give a time in the future.',
  unevenInterval: 'I can’t repeat an alarm every {interval}: it would start over with each hour or day.',
  unevenIntervalRemedy: 'Choose 1, 2, 3, 4, 5, 6, 10, 12, 15, 20 or 30 minutes, or 1, 2, 3, 4, 6, 8, 12 or 24 hours.',
  unknownAlarm: 'This thread has no such alarm. `alarms` lists them.',
  alarmOver: 'That alarm has already gone off.',
})
