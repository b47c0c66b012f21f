import { damaged, endMissing, type Parser, Parts } from '../parse.ts'
import { Reading } from './rtf/reading.ts'
import { tokensOf } from './rtf/tokens.ts'

/**
 * The text of an RTF document: headings as Markdown, cells of a table between bars, each row on a line. Hidden text
 * and changes are marked. Throws `damaged`.
 */
export const parseRtf: Parser = async ({ bytes }, limits) => {
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const reading = new Reading(limits.textCharacters)
  for (const token of tokensOf(rtf)) if (!reading.take(token)) break
  const { text, isCut, isWhole, hasPictures } = reading.end()
  if (text === '' && !isWhole) throw damaged('it ends before its text begins')
  const parts = new Parts(limits)
  parts.add({ unit: 'section', number: 1, text })
  if (isCut) parts.cut()
  const notes = [
    hasPictures ? 'It contains pictures, which are not read.' : '',
    ...parts.emptiness(),
    isWhole ? '' : endMissing,
    ...parts.notes(),
  ]
  return { kind: 'rtf', notes: notes.filter(Boolean), parts: parts.list }
}
