import { hasNoTime, type Reminder, whenOf } from './when.ts'

const time =
  /^(?:\s|每天|今天|明天|\d{1,2}(?:[:：]\d\d|点(?:\d{1,2}分?)?)|(?:\d+|[一两五十半])个?(?:秒钟?|分钟?|小时|天)之?后)+/
/** The time goes on, as in "9点半", "9点到10点" and "明天下午3点". */
const goesOn = /^(?:[半刻和到至、，,:\d点前后]|[之以][前后]|一刻|左右|[上下中]午|[早晚]上|凌晨|傍晚)/
const hour = /[\d一二两三四五六七八九十]点/

const inEnglish = (text: string): string =>
  text
    .replace(/每天/g, ' every day ')
    .replace(/今天/g, ' today ')
    .replace(/明天/g, ' tomorrow ')
    .replace(
      /(\d{1,2})(?:[:：]|点)(\d{1,2})?分?/g,
      (_, hours, minutes = '0') => ` at ${hours}:${minutes.padStart(2, '0')} `,
    )
    .replace(/(\S+)后/g, ' in $1 ')
    .replace(/之(?= )/g, '')
    .replace(/\s+/g, ' ')

/** The time is in front, or right behind 提醒我. */
export function chineseReminderIn(text: string): Reminder | undefined {
  const [, before = '', after = ''] =
    /^(.*?)(?:提醒我?|闹钟)(.*)$/s.exec(text.replace(/^设(?:置|个)?(?:一个)?/, '')) ?? []
  if (before.trim() !== '') {
    const when = whenOf(inEnglish(before))
    return when && { when, message: after.replace(/^[\s:：，,]+/, '') }
  }
  const lead = time.exec(after)?.[0] ?? ''
  const message = after.slice(lead.length).trim()
  const when = goesOn.test(message) ? undefined : whenOf(inEnglish(lead))
  return when && !(hasNoTime(when) && hour.test(message)) ? { when, message } : undefined
}
