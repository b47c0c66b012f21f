import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import type { FilesContext } from './context.ts'
import { editInput, fileInput } from './inputs.ts'
import { refuseMasksInEdits } from './masks.ts'
import { filesWords } from './words.ts'

const input = z.strictObject({
  path: fileInput,
  edits: z.array(editInput).min(1).max(100).describe('In order; each applies to the result of the one before'),
})

export const multiEdit = defineTool({
  kind: 'run',
  name: 'multi_edit',
  onDemand: true,
  description: 'Makes several edits of one file, all or none. Each follows the rules of edit_file.',
  input,
  doing: ({ path }) => filesWords.editing({ path }),
  effect: 'write',
  paths: ({ path }) => [path],
  source: ({ path }) => `the file ${path}`,
  check: ({ path, edits }, place: FilesContext) => refuseMasksInEdits(path, edits, place),
  run: async ({ path, edits }, context: FilesContext) => {
    const { editFile } = await import('./edit/file.ts')
    return editFile(path, edits, context)
  },
})
