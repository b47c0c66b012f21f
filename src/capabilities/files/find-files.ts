import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import type { WorkspaceEntry } from '../../domain/workspace.ts'
import { counted, shownPath, shownTime } from '../../kit/text/shown.ts'
import { below, walkFiles } from '../../workspace/walked.ts'
import type { FilesContext } from './context.ts'
import { compileGlob } from './glob.ts'
import { folderInput } from './inputs.ts'
import { filesWords } from './words.ts'

const input = z.strictObject({
  pattern: z.string().min(1).describe('A glob: "*.csv" anywhere, "outputs/**/report-[0-9].{md,pdf}" from path on'),
  path: folderInput,
})

export const findFiles = defineTool({
  kind: 'run',
  name: 'find_files',
  description: 'Finds files by name in all folders below, newest first.',
  input,
  doing: ({ pattern }) => filesWords.lookingFor({ pattern }),
  effect: 'read',
  repeatable: true,
  paths: ({ path }) => [path],
  source: () => 'names of files',
  run: async ({ pattern, path }, { workspace, limits, timeZone, signal }: FilesContext) => {
    const fits = compileGlob(pattern)
    const folder = workspace.normalize(path)
    const walked = { complete: true }
    const found: WorkspaceEntry[] = []
    for await (const entry of walkFiles(workspace, folder, walked, signal)) {
      if (fits(below(folder, entry.path))) found.push(entry)
    }
    const newest = found.sort((a, b) => b.modifiedAt - a.modifiedAt).slice(0, limits.listEntries)
    const lines = newest.map(
      (entry) => `${shownPath(entry.path)}  ${counted(entry.size, 'byte')}  ${shownTime(entry.modifiedAt, timeZone)}`,
    )
    const notes = [`${counted(found.length, 'file')} found`]
    if (newest.length < found.length) notes.push(`the newest ${newest.length} are shown; narrow the pattern for others`)
    if (!walked.complete) notes.push('there are too many files to look at them all; name a folder further down')
    return [...lines, `[${notes.join('; ')}.]`].join('\n')
  },
})
