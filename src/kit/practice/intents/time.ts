import { callOnce, type Intent } from '../situation.ts'

export const time: Intent = {
  name: 'time',
  example: 'what time is it?',
  matches: (text) =>
    /\bwhat(?:'s| is)? (?:the )?(?:time|date|day)\b|\bwhat day is\b|几点|现在.*时间|今天.*(几号|星期)/i.test(text),
  next: (situation) => callOnce(situation, { name: 'now', input: {} }, (result) => `It is ${result.split('\n', 1)[0]}`),
}
