import { sizeWords } from '../../kit/text/shown.ts'
import type { Command } from '../../turn/command.ts'
import { cleanWorkspaces } from '../clean.ts'

export const clean: Command = {
  name: 'clean',
  summary: 'removes the files of this channel’s threads that nobody has used for long',
  about: 'channel',
  async run({ project, session, deps }) {
    const { removed, bytes } = await cleanWorkspaces(deps, project, session?.id)
    const days = `${deps.idleWorkspaceDays} days`
    if (removed === 0) return `Nothing to clean up: no other thread in this channel has been idle for ${days}.`
    const threads = removed === 1 ? 'one thread that was' : `${removed} threads that were`
    return `I removed the files of ${threads} idle for ${days} (${sizeWords(bytes)}).`
  },
}
