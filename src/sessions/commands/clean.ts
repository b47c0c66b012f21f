import { cleanWorkspaces } from '../clean.ts'
import type { Command } from './command.ts'
import { sizeWords } from './files.ts'

export const clean: Command = {
  name: 'clean',
  summary: 'removes the files of threads of this channel that nobody has used for long',
  about: 'channel',
  async run({ place, deps }) {
    const { removed, bytes } = await cleanWorkspaces(deps, place)
    const days = `${deps.idleWorkspaceDays} days`
    if (removed === 0) return `There is nothing to clean: no thread of this channel has files and was idle for ${days}.`
    return `I removed the files of ${removed} threads that were idle for ${days} (${sizeWords(bytes)}).`
  },
}
