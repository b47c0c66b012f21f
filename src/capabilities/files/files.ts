import type { Capability } from '../../turn/capability.ts'
import { editFile } from './edit-file.ts'
import { filesCommand } from './files-command.ts'
import { findFiles } from './find-files.ts'
import { grepFiles } from './grep-files.ts'
import { listFiles } from './list-files.ts'
import { multiEdit } from './multi-edit.ts'
import { readFile } from './read-file.ts'
import { writeFile } from './write-file.ts'

const text = `This thread has a workspace of files. Paths are relative to it.
- uploads/ holds what people sent. Changing one of these files is asked first.
- outputs/ is for results: files that you leave there are posted to the thread when you answer. Put there what people want to have, and nothing else.
- temp/ is for your notes and intermediate files.
- skills/ is read-only.`

/** Reading, searching and writing in the thread's workspace. */
export const files: Capability = {
  name: 'files',
  tools: [readFile, writeFile, editFile, multiEdit, listFiles, findFiles, grepFiles],
  prompt: () => [{ name: 'Workspace', text }],
  commands: [filesCommand],
  context({ bot, documents }) {
    return { documents, limits: { ...bot.config.tools, read: bot.documents.budgets } }
  },
}
