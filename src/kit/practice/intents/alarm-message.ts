import type { Intent } from '../situation.ts'

const alarm = /^\[Alarm([^\]]*)\]\s*([\s\S]*)$/i

/** An alarm went off: the bracket says who set it and whether it is late, and the message follows. */
export const alarmMessage: Intent = {
  name: 'alarm-message',
  matches: (text) => alarm.test(text),
  next({ text }) {
    const [, about = '', message = ''] = text.match(alarm) ?? []
    const late = about.match(/\bit is [^;]* late\b/)?.[0]
    return {
      text: `Reminder: ${message.trim() || 'the time has come'}${late === undefined ? '' : ` (Sorry, ${late}.)`}`,
    }
  },
}
