import { defineTool } from '../../domain/tool.ts'
import type { FilesContext } from './context.ts'
import { fileEditInput } from './inputs.ts'
import { refuseMasksInEdits } from './masks.ts'
import { filesWords } from './words.ts'

export const editFile = defineTool({
  kind: 'run',
  name: 'edit_file',
  description:
    'Replaces a passage in a text file in outputs/, temp/ or uploads/. No line numbers in old_string. Returns a diff: check it.',
  input: fileEditInput,
  doing: ({ path }) => filesWords.editing({ path }),
  effect: 'write',
  paths: ({ path }) => [path],
  source: ({ path }) => `the file ${path}`,
  check: ({ path, ...edit }, place: FilesContext) => refuseMasksInEdits(path, [edit], place),
  run: async ({ path, ...change }, context: FilesContext) => {
    const { editFile } = await import('./edit/file.ts')
    return editFile(path, [change], context)
  },
})
