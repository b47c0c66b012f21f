import { z } from 'zod'
import { BobbinError } from '../domain/errors.ts'
import { defineTool, type ToolContext } from '../domain/tool.ts'
import type { WorkspaceEntry } from '../domain/workspace.ts'
import { fileType, headBytes, isText } from '../workspace/type.ts'
import { fileInput } from './inputs.ts'
import { readLines } from './read/lines.ts'
import { emptyPage, type Page, pageText } from './read/page.ts'
import { counted, shownPath } from './words.ts'

const input = z.strictObject({
  path: fileInput,
  offset: z.int().min(1).default(1).describe('First line to read, from 1.'),
  limit: z.int().min(1).optional().describe('Most lines to read. Without it: as many as one page holds.'),
})

export const readFile = defineTool({
  kind: 'run',
  name: 'read_file',
  description:
    'Reads a text file of the workspace. Lines come numbered ("12<tab>text"); the numbers are not part of the file. ' +
    'A small file comes whole, a large one page by page: the last line of the result says which offset to go on with, ' +
    'or how many lines the file has. Very long lines are cut. To find something in a large file, use grep_files.',
  input,
  effect: 'read',
  repeatable: true,
  pages: true,
  paths: ({ path }) => [path],
  run: async ({ path, offset, limit }, context) => {
    const file = await existingFile(path, context)
    await checkText(file, context)
    const page = await readPage(file, offset, limit ?? context.limits.readLines, context)
    return pageText(page, { path: shownPath(path), offset, size: file.size, limits: context.limits })
  },
})

async function existingFile(path: string, { workspace }: ToolContext): Promise<WorkspaceEntry> {
  const entry = await workspace.stat(path)
  if (entry?.kind === 'directory') {
    throw new BobbinError('not_a_file', `${shownPath(path)} is a folder.`, 'Use list_files to see what is in it.')
  }
  if (entry) return entry
  throw new BobbinError('not_found', `${shownPath(path)} does not exist.`, 'Use find_files to see what there is.')
}

async function checkText({ path, size }: WorkspaceEntry, { workspace }: ToolContext): Promise<void> {
  const head = await workspace.readRange(path, 0, headBytes)
  const type = await fileType(path, head)
  if (isText(head) && type !== 'application/pdf') return
  throw new BobbinError(
    'not_text',
    `${shownPath(path)} is ${described(type)} of ${counted(size, 'byte')} and cannot be read as text.`,
    'Work with it by a command or a skill, or ask for its text.',
  )
}

const names: Record<string, string> = {
  'application/pdf': 'a PDF document',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'a Word document (DOCX)',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'an Excel workbook (XLSX)',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'a PowerPoint presentation (PPTX)',
  'application/octet-stream': 'a binary file',
}

const described = (type: string): string => names[type] ?? `a binary file (${type})`

async function readPage(
  { path, size }: WorkspaceEntry,
  offset: number,
  limit: number,
  context: ToolContext,
): Promise<Page> {
  const { workspace, limits, signal } = context
  const options = { from: offset, keepBytes: limits.lineCharacters * 4, signal }
  const page = emptyPage(limits, size <= limits.readBytes)
  for await (const { lines, count, ended } of readLines(workspace, path, options)) {
    for (const line of lines) {
      if (page.lines.length === limit || !page.add(line)) return page
    }
    if (ended) page.total = count
  }
  return page
}
