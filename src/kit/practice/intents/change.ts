import { fenced, filesIn, unquoted } from '../names-in-text.ts'
import { type ReadText, reading } from '../reading.ts'
import { callOnce, type Intent, type PlannedCall, type Situation } from '../situation.ts'

type Change = { kind: 'replace'; before: string; after: string } | { kind: 'append' | 'overwrite'; text: string }

// One space at each end, as `unquoted` trims: with more, long runs of spaces could be divided in too many ways.
const replaces = /^(?:replace|change)\s([\s\S]+?)\s(?:with|by|to)\s([\s\S]+?)\sin\s+\S/i
const appends = /^(?:append|add)\s([\s\S]+?)\sto\s+\S+$/i
const overwrites = /^overwrite\s+\S+\s+(?:with|by)\s+([\s\S]+)$/i
const replacesInChinese = /^把\s*\S+?\s*(?:中|里)的?\s*(\S+?)\s*(?:替换成|替换为|改成|换成)\s*(\S+)$/

function changeIn(text: string): Change | undefined {
  const [, before, after] = text.match(replaces) ?? text.match(replacesInChinese) ?? []
  if (before !== undefined && after !== undefined) {
    return { kind: 'replace', before: unquoted(before), after: unquoted(after) }
  }
  const appended = text.match(appends)?.[1]
  if (appended !== undefined) return { kind: 'append', text: unquoted(appended) }
  const whole = text.match(overwrites)?.[1]
  return whole === undefined ? undefined : { kind: 'overwrite', text: unquoted(whole) }
}

/**
 * The last lines of a file, as many as stand there once. Undefined if they weren't read whole: only what is quoted
 * exactly is changed, since a page shows less than a file has.
 */
function endOf({ text, goesOn, hasCutLines }: ReadText): string | undefined {
  const lines = text.split('\n')
  const last = lines.findLastIndex((line) => line.trim() !== '') + 1
  const tail = (count: number) => lines.slice(Math.max(0, last - count), last).join('\n')
  const isTwice = (end: string) => text.indexOf(end) !== text.lastIndexOf(end)
  let count = 1
  while (count < last && isTwice(tail(count))) count *= 2
  const end = tail(count)
  return goesOn || (hasCutLines && /…$/m.test(end)) ? undefined : end
}

function apply(situation: Situation, path: string, call: PlannedCall) {
  const answer = (result: string) =>
    `Changed \`${path}\`.\n\n${fenced(result, call.name === 'edit_file' ? 'diff' : '')}`
  return callOnce(situation, call, answer, `I would like to change \`${path}\`.`)
}

/** Changes a file in place; in uploads/ a person is asked first. */
export const change: Intent = {
  name: 'change',
  example: 'replace “draft” with “final” in #notes.md',
  matches: (text, situation) => changeIn(text) !== undefined && filesIn(text, situation).length > 0,
  next(situation) {
    const path = filesIn(situation.text, situation).at(-1) ?? ''
    const wanted = changeIn(situation.text)
    if (wanted?.kind === 'replace') {
      const input = { path, old_string: wanted.before, new_string: wanted.after, replace_all: true }
      return apply(situation, path, { name: 'edit_file', input })
    }
    const text = wanted?.text ?? ''
    if (wanted?.kind !== 'append')
      return apply(situation, path, { name: 'write_file', input: { path, content: `${text}\n` } })

    const read = reading([path], situation, { raw: true })
    if ('calls' in read) return { text: '', calls: read.calls }
    const [file] = read.texts
    if (file === undefined || file.text.trim() === '')
      return apply(situation, path, { name: 'write_file', input: { path, content: `${text}\n` } })
    const end = endOf(file)
    if (end === undefined) return { text: `\`${path}\` is too long for me to append to.` }
    const input = { path, old_string: end, new_string: `${end}\n${text}` }
    return apply(situation, path, { name: 'edit_file', input })
  },
}
