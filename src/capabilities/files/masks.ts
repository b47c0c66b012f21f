import type { Workspace } from '../../domain/workspace.ts'
import { hasMask, refuseMask } from '../../kit/secrets/written-mask.ts'
import { throwOutage } from '../../kit/unavailable.ts'
import type { FilesContext } from './context.ts'
import type { Edit } from './edit/apply.ts'

type Place = Pick<FilesContext, 'mask' | 'workspace'>

/** A line with a mask may stand in a file's new content only if the file has it and no hidden value looks like it. */
export async function refuseMasks(path: string, content: string, { workspace, mask }: Place): Promise<void> {
  if (!hasMask(content)) return
  const text = await textOf(path, workspace)
  const shown = mask(text)
  if (text !== '' && shown === text) return
  const words = countsOf(text)
  const all = countsOf(shown)
  const isWord = (line: string) => words.has(line) && words.get(line) === all.get(line)
  refuseMask('content', content, (line) => isWord(line.trim()))
}

/**
 * A line with a mask may stand in an old_string only if the file has it, and one may be put only into a file that has
 * some as words, or hides nothing.
 */
export async function refuseMasksInEdits(path: string, edits: Edit[], { workspace, mask }: Place): Promise<void> {
  if (!edits.some(({ old_string, new_string }) => hasMask(old_string) || hasMask(new_string))) return
  const text = await textOf(path, workspace)
  const isAboutMasks = hasMask(text) || (text !== '' && mask(text) === text)
  let known = squeezed(text)
  for (const { old_string, new_string } of edits) {
    refuseMask('old_string', old_string, (line) => known.includes(squeezed(line)))
    refuseMask('new_string', new_string, () => isAboutMasks)
    known += ` ${squeezed(new_string)}`
  }
}

const unix = (text: string): string => text.replaceAll('\r\n', '\n')
const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** How often the file has each line. */
function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of text.split('\n')) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1)
  return counts
}

const largest = 10_000_000

/** '' if it can't be read, such as a new file. */
const textOf = (path: string, workspace: Workspace): Promise<string> =>
  workspace.read(path, largest).then(
    (bytes) => unix(bytes.toString()),
    (thrown) => {
      throwOutage(thrown)
      return ''
    },
  )
