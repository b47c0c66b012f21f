import { hasNoText, noText } from '../digest.ts'
import { fenced, filesIn, firstLines } from '../names-in-text.ts'
import { reportTrouble } from '../outcome.ts'
import { partly, reading } from '../reading.ts'
import type { Intent } from '../situation.ts'

const shownLines = 40

export const show: Intent = {
  name: 'show',
  example: 'show #notes.md',
  handlesFailures: true,
  matches: (text, situation) =>
    /\b(?:show|read|open|print|display|cat|what does|what is in|what's in|look at)\b|显示|打开|读/i.test(text) &&
    filesIn(text, situation).length > 0,
  next(situation) {
    const read = reading(filesIn(situation.text, situation), situation)
    if ('calls' in read) return { text: '', calls: read.calls }
    const texts = read.texts.map((file) => {
      const { path, text } = file
      if (text.trim() !== '' && hasNoText(text)) return `\`${path}\` has ${noText}.`
      return `\`${path}\`${partly(file)}:\n\n${fenced(firstLines(text, shownLines))}`
    })
    const troubles = read.failed.map(({ reason }) => reportTrouble('read_file', { kind: 'failed', text: reason }))
    return { text: [...texts, ...troubles].join('\n\n') }
  },
}
