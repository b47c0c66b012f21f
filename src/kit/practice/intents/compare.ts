import { diffLines } from 'diff'
import { fenced, filesIn, firstLines } from '../names-in-text.ts'
import { partly, type ReadText, reading } from '../reading.ts'
import type { Intent, Situation } from '../situation.ts'

const shownLines = 30

/** The two files that were named, or the two newest uploads. */
function pairIn(situation: Situation): string[] {
  const named = filesIn(situation.text, situation)
  return (named.length >= 2 ? named : situation.uploads.map(({ path }) => path))
    .slice(named.length >= 2 ? 0 : -2)
    .slice(0, 2)
}

function comparison([one, other]: ReadText[]): string {
  if (one === undefined || other === undefined) return 'I need two files for that.'
  const changes = diffLines(one.text, other.text).filter(({ added, removed }) => added || removed)
  const names = [one, other].map((file) => `\`${file.path}\`${partly(file)}`)
  if (changes.length === 0) return `${names.join(' and ')} say the same.`
  const count = (which: 'added' | 'removed') =>
    changes.reduce((sum, change) => sum + (change[which] ? change.count : 0), 0)
  const lines = changes.flatMap(({ added, value }) =>
    value
      .trimEnd()
      .split('\n')
      .map((line) => `${added ? '+' : '-'} ${line}`),
  )
  const facts = `Only in ${names[0]}: ${count('removed')} lines. Only in ${names[1]}: ${count('added')} lines.`
  return `${facts}\n\n${fenced(firstLines(lines.join('\n'), shownLines), 'diff')}`
}

export const compare: Intent = {
  name: 'compare',
  example: 'compare #old.md and #new.md',
  matches: (text) => /\bcompare\b|\bdiff(?:erences?)?\b|比较|对比/i.test(text),
  next(situation) {
    const pair = pairIn(situation)
    if (pair.length < 2) return { text: 'Which two files? Write “compare #old.md and #new.md”.' }
    const read = reading(pair, situation)
    return 'calls' in read ? { text: '', calls: read.calls } : { text: comparison(read.texts) }
  },
}
