import type { Workspace } from '../../domain/workspace.ts'
import { hasMask, refuseMask } from '../../kit/secrets/written-mask.ts'
import type { Edit } from './edit/apply.ts'

interface Place {
  workspace: Workspace
}

/** Refuses masks in the new content of a file, except as many as the file has itself: those are words of its text. */
export async function refuseMasks(path: string, content: string, { workspace }: Place): Promise<void> {
  if (hasMask(content)) refuseMask('content', content, await textOf(path, workspace))
}

/** Refuses masks in edits, unless the file has some itself and the passage stands in it just so: nothing is lost. */
export async function refuseMasksInEdits(path: string, edits: Edit[], { workspace }: Place): Promise<void> {
  if (!edits.some(({ old_string, new_string }) => hasMask(old_string) || hasMask(new_string))) return
  const text = await textOf(path, workspace)
  for (const { old_string, new_string } of edits) {
    if (hasMask(text) && text.includes(unix(old_string))) continue
    refuseMask('old_string', old_string)
    refuseMask('new_string', new_string)
  }
}

const unix = (text: string): string => text.replaceAll('\r\n', '\n')
const largest = 10_000_000

/** '' if there is no such file. */
const textOf = (path: string, workspace: Workspace): Promise<string> =>
  workspace.read(path, largest).then(
    (bytes) => unix(bytes.toString()),
    () => '',
  )
