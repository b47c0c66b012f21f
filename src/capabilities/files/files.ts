import type { Capability } from '../../turn/capability.ts'
import { editFile } from './edit-file.ts'
import { filesCommand } from './files-command.ts'
import { findFiles } from './find-files.ts'
import { grepFiles } from './grep-files.ts'
import { listFiles } from './list-files.ts'
import { multiEdit } from './multi-edit.ts'
import { readFile } from './read-file.ts'
import { writeFile } from './write-file.ts'

/** Reading, searching and writing in the thread's workspace. */
export const files: Capability = {
  name: 'files',
  tools: [readFile, writeFile, editFile, multiEdit, listFiles, findFiles, grepFiles],
  commands: [filesCommand],
  context({ bot, documents }) {
    const { tools, documents: reading } = bot.config
    return { documents, limits: { ...tools, read: reading.read } }
  },
}
