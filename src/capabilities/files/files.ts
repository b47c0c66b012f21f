import type { Capability } from '../../turn/port/capability.ts'
import { editFile } from './edit-file.ts'
import { filesCommand } from './files-command.ts'
import { findFiles } from './find-files.ts'
import { grepFiles } from './grep-files.ts'
import { listFiles } from './list-files.ts'
import { multiEdit } from './multi-edit.ts'
import { readFile } from './read-file.ts'
import { writeFile } from './write-file.ts'

const text = `This thread has a folder of files. Paths are relative to it.
- uploads/: what people sent. Changes need approval.
- outputs/: results. Files here are posted when you ask or answer, so put nothing else here. Each is posted once, at most 50 at a time: zip more. To post one again, copy it to a new name.
- temp/: your notes.
- skills/: read-only.
Never write \`[secret: …]\`: it hides a secret.`

/** Reading, searching and writing in the thread's workspace. */
export const files: Capability = {
  name: 'files',
  tools: [readFile, writeFile, editFile, multiEdit, listFiles, findFiles, grepFiles],
  prompt: () => [{ name: 'Workspace', text }],
  commands: () => [filesCommand],
  context({ bot, documents }) {
    const mask = (text: string) => bot.store.mask(text)
    return { documents, limits: { ...bot.config.tools, read: bot.documents.budgets }, mask }
  },
}
