import { z } from 'zod'
import { defineTool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import { counted, shownPath } from '../../kit/text/shown.ts'
import type { FilesContext } from './context.ts'
import { fileInput } from './inputs.ts'
import { refuseMasks } from './masks.ts'
import { filesWords } from './words.ts'

const input = z.strictObject({
  path: fileInput,
  content: z.string().describe('All of it'),
})

export const writeFile = defineTool({
  kind: 'run',
  name: 'write_file',
  description: 'Writes a whole text file in outputs/, temp/ or uploads/. Not for Office files or PDF.',
  input,
  doing: ({ path }) => filesWords.writing({ path }),
  effect: 'write',
  repeatable: true,
  paths: ({ path }) => [path],
  check: ({ path, content }, place: FilesContext) => refuseMasks(path, content, place),
  run: ({ path, content }, { workspace }) =>
    workspace.exclusively(path, async () => {
      checkIsText(path, content)
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

/** Kinds of files that text can't be: what opens them, what makes them, and what to write instead. */
const others: [endings: RegExp, opens: string, skill: string, instead: string][] = [
  [/\.(xls[xmb]|xlt[xm]|ods)$/i, 'Office cannot open it', 'xlsx', '.csv'],
  [/\.(doc[xm]|dot[xm]|odt)$/i, 'Office cannot open it', 'docx', '.md'],
  [/\.(ppt[xm]|pps[xm]|pot[xm]|odp)$/i, 'Office cannot open it', 'pptx', '.md'],
  [/\.pdf$/i, 'neither Office nor a PDF viewer can open it', 'pdf', '.md'],
]

function checkIsText(path: string, content: string): void {
  const [, opens, skill, instead] = others.find(([endings]) => endings.test(path)) ?? []
  // A PDF may be all text.
  if (opens === undefined || content.startsWith('%PDF-')) return
  throw new Failure(
    'not_text',
    `Text under the name ${shownPath(path)} is no such file: ${opens}. Nothing was written.`,
    `The skill ${skill} makes a real one; or write the text as ${instead}.`,
  )
}
