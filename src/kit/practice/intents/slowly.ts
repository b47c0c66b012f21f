import { durationIn } from '../durations.ts'
import { isChinese } from '../names-in-text.ts'
import type { Intent, Step } from '../situation.ts'

const counts = /\bcount\b.*?\bto\s+(\d+)|数到\s*(\d+)/i
const works = /\b(?:work|talk|keep busy|be busy|wait)\s+(?:slowly\s+)?for\b|^工作/i
const most = 500
/** Pauses per word: with the usual 15 ms, about 0.3 s a number, and 1 s a tick. */
const countSlowness = 20
const tickSlowness = 67

function countTo(text: string, last: number): Step {
  const numbers = Array.from({ length: Math.min(last, most) }, (_, place) => `${place + 1}`)
  const end = isChinese(text) ? '数完了。' : `That was ${numbers.length}.`
  return { text: `${numbers.join(' ')}\n\n${end}`, ...(/slow|慢/i.test(text) && { slowness: countSlowness }) }
}

/** Long replies, for trying the Stop button. */
export const slowly: Intent = {
  name: 'slowly',
  example: 'count slowly to 100 (and press Stop)',
  matches: (text) => counts.test(text) || (works.test(text) && durationIn(text) !== undefined),
  next({ text }) {
    const [, to, chineseTo] = text.match(counts) ?? []
    if (to !== undefined || chineseTo !== undefined) return countTo(text, Number(to ?? chineseTo))
    const seconds = Math.min(Math.round((durationIn(text) ?? 0) / 1_000), most)
    const ticks = Array.from({ length: seconds }, (_, place) => `${place + 1}…`)
    return { text: [...ticks, 'Done.'].join(' '), slowness: tickSlowness }
  },
}
