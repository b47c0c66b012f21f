import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import { counted, shownPath } from '../../kit/text/shown.ts'
import { fileInput } from './inputs.ts'

const input = z.strictObject({
  path: fileInput,
  content: z.string().describe('The whole content of the file.'),
})

export const writeFile = defineTool({
  kind: 'run',
  name: 'write_file',
  description:
    'Writes a text file, whole: what was in it before is gone. Makes missing folders. Only below outputs/ (files for ' +
    'people: they are posted to the thread), temp/ (scratch) and uploads/. To change a part of a file, use edit_file.',
  input,
  effect: 'write',
  repeatable: true,
  paths: ({ path }) => [path],
  run: ({ path, content }, { workspace }) =>
    workspace.exclusively(path, async () => {
      const before = await workspace.stat(path)
      await workspace.write(path, content)
      const what = before
        ? `Replaced ${shownPath(path)} (it had ${counted(before.size, 'byte')})`
        : `Created ${shownPath(path)}`
      return `${what}: ${counted(Buffer.byteLength(content), 'byte')}, ${counted(linesIn(content), 'line')}.`
    }),
})

const linesIn = (content: string): number =>
  content === '' ? 0 : content.split('\n').length - (content.endsWith('\n') ? 1 : 0)
