import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import type { FilesContext } from './context.ts'
import { editInput, fileInput } from './inputs.ts'

const input = z.strictObject({
  path: fileInput,
  edits: z.array(editInput).min(1).max(100).describe('The edits, in order; each sees what the ones before it made.'),
})

export const multiEdit = defineTool({
  kind: 'run',
  name: 'multi_edit',
  description:
    'Makes several edits in one text file, in order: all of them, or none when one fails. Each follows the rules of ' +
    'edit_file. Better than several edit_file calls on one file.',
  input,
  effect: 'write',
  paths: ({ path }) => [path],
  run: async ({ path, edits }, context: FilesContext) => {
    const { editFile } = await import('./edit/file.ts')
    return editFile(path, edits, context)
  },
})
