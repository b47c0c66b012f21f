import { defineTool } from '../../domain/tool.ts'
import type { FilesContext } from './context.ts'
import { fileEditInput } from './inputs.ts'

export const editFile = defineTool({
  kind: 'run',
  name: 'edit_file',
  description:
    'Replaces one piece of a text file. old_string must match exactly one place (or set replace_all) and must differ from ' +
    'new_string; leave out the line numbers that read_file shows. Small differences in indentation and white space are ' +
    'forgiven. Returns a diff: check it. Only below outputs/, temp/ and uploads/.',
  input: fileEditInput,
  effect: 'write',
  paths: ({ path }) => [path],
  run: async ({ path, ...change }, context: FilesContext) => {
    const { editFile } = await import('./edit/file.ts')
    return editFile(path, [change], context)
  },
})
