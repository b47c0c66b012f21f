import { Failure } from '../../../kit/failure.ts'
import { headBytes, isText } from '../../../kit/files/type.ts'
import { detectEncoding } from '../../../kit/text/encoding.ts'
import { type DecodedText, decode, encode } from '../../../kit/text/plain-text.ts'
import { counted, shownPath } from '../../../kit/text/shown.ts'
import type { FilesContext } from '../context.ts'
import { filesWords } from '../words.ts'
import { type Applied, applyEdit, type Edit, unix } from './apply.ts'
import { describeChange } from './diff.ts'
import { byEnds } from './strategies.ts'

/** Applies edits in order, all or none, and reports what has changed. */
export const editFile = (path: string, edits: Edit[], context: FilesContext): Promise<string> =>
  context.workspace.exclusively(path, async () => {
    const decoded = readable(path, await wholeFile(path, context))
    const applied: Applied[] = []
    let text = decoded.text
    for (const [index, edit] of edits.entries()) {
      const step = () => {
        const result = applyEdit(text, edit, decoded.newline)
        refuseHidden(text, result, context)
        return result
      }
      const result = edits.length > 1 ? withNumber(index + 1, step) : step()
      applied.push(result)
      text = result.text
    }
    context.signal.throwIfAborted()
    await context.workspace.write(path, encode(text, decoded))
    return report(path, decoded.text, text, applied)
  })

/** Refuses to replace a value that the model isn't shown: it can't have asked for that. */
function refuseHidden(text: string, { strategy, replaced }: Applied, { mask }: FilesContext): void {
  if (strategy !== byEnds) return
  const shown = mask(unix(text))
  if (replaced.every((passage) => shown.includes(passage))) return
  throw new Failure(
    'masked',
    'old_string isn’t quite what the file has there, and the edit would overwrite a value you aren’t shown.',
    filesWords.hiddenValueRemedy(),
  )
}

async function wholeFile(path: string, { workspace, limits }: FilesContext): Promise<Buffer> {
  try {
    return await workspace.read(path, limits.fileBytes)
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== 'too_large') throw thrown
    throw thrown.with({ remedy: filesWords.tooLargeToEditRemedy() })
  }
}

function readable(path: string, bytes: Buffer): DecodedText {
  if (!isText(bytes.subarray(0, headBytes))) {
    throw new Failure('not_text', `${shownPath(path)} is not a text file.`, 'Only text can be edited.')
  }
  const decoded = decode(bytes)
  if (decoded.lossy) {
    throw notUtf8(
      `${shownPath(path)} is not valid UTF-8: ${counted(decoded.badBytes, 'byte')} would be lost by an edit.`,
    )
  }
  // UTF-16 without a mark is valid UTF-8 with zeros, and what an edit writes would have none.
  const { encoding } = detectEncoding(bytes)
  if (encoding !== decoded.encoding) throw notUtf8(`${shownPath(path)} seems to be in ${encoding}, not in UTF-8.`)
  return decoded
}

const notUtf8 = (fact: string): Failure =>
  new Failure('not_utf8', fact, 'Convert it to UTF-8 into a new file first, or replace it as a whole with write_file.')

function withNumber<T>(number: number, work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown
    throw thrown.with({ message: `Edit ${number}: ${thrown.message}`, remedy: `Nothing was written. ${thrown.remedy}` })
  }
}

async function report(path: string, before: string, after: string, applied: Applied[]): Promise<string> {
  const { added, removed, diff } = await describeChange(path, before, after)
  const places = applied.reduce((sum, { places }) => sum + places, 0)
  const loose = [...new Set(applied.map(({ strategy }) => strategy))].filter((strategy) => strategy !== 'exact')
  const found = loose.length > 0 ? ` Found by: ${loose.join(', ')}; check the diff.` : ''
  const lines = `${counted(added, 'line')} added, ${counted(removed, 'line')} removed`
  return `Edited ${shownPath(path)} in ${counted(places, 'place')}: ${lines}.${found}\n${diff}`
}
