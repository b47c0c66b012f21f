import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about alarms: answers to commands, complaints, findings. */
export const alarmsWords = catalogue({
  // titles of calls
  settingAlarm: 'Setting an alarm: {time}',
  cancellingAlarm: 'Cancelling an alarm',
  lookingAtAlarms: 'Looking at the alarms',
  lookingAtClock: 'Checking the time',

  // commands
  noAlarmsThread: 'There are no alarms in this thread. {usage}',
  alarmsThread: 'Alarms in this thread:',
  threadAlreadyAlarmsCancel: 'This thread already has {mostAlarms} alarms. Cancel some first: `alarms` lists them.',
  timePassedNow: "That time has passed: it's {now} now.",
  giveTimeFuture: 'Give a time in the future.',
  threadNoSuchAlarm: 'This thread has no such alarm. `alarms` lists them.',
  alarmAlreadyGoneOff: 'That alarm has already gone off.',
})
