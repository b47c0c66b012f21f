import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import type { WorkspaceEntry } from '../../domain/workspace.ts'
import { counted, shownPath, shownTime } from '../../kit/text/shown.ts'
import type { FilesContext } from './context.ts'
import { folderInput } from './inputs.ts'
import { filesWords } from './words.ts'

export const listFiles = defineTool({
  kind: 'run',
  name: 'list_files',
  description: 'Lists one folder of the workspace.',
  input: z.strictObject({ path: folderInput }),
  doing: ({ path }) => (path === '.' ? filesWords.listingAll() : filesWords.listing({ path })),
  effect: 'read',
  repeatable: true,
  paths: ({ path }) => [path],
  source: () => 'names of files',
  run: async ({ path }, { workspace, limits, timeZone }: FilesContext) => {
    const entries = await workspace.list(path)
    const visible = entries.filter((entry) => !nameOf(entry).startsWith('.')).sort(foldersFirst)
    const shown = visible.slice(0, limits.listEntries).map((entry) => described(entry, timeZone))
    const notes = [`${counted(visible.length, 'entry', 'entries')} in ${shownPath(path)}`]
    if (shown.length < visible.length) notes.push(`the first ${shown.length} are shown; find_files narrows it down`)
    if (visible.length < entries.length) notes.push(`${entries.length - visible.length} hidden left out`)
    return [...shown, `[${notes.join('; ')}.]`].join('\n')
  },
})

const nameOf = ({ path }: WorkspaceEntry): string => path.slice(path.lastIndexOf('/') + 1)

const foldersFirst = (a: WorkspaceEntry, b: WorkspaceEntry): number =>
  Number(b.kind === 'directory') - Number(a.kind === 'directory')

function described(entry: WorkspaceEntry, timeZone: string): string {
  const name = shownPath(nameOf(entry))
  if (entry.kind === 'directory') return `${name}/`
  if (entry.kind === 'other') return `${name}  (a link, pipe or device, or not a UTF-8 name: cannot be opened)`
  return `${name}  ${counted(entry.size, 'byte')}  ${shownTime(entry.modifiedAt, timeZone)}`
}
