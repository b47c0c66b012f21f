import { sizeWords } from '../../kit/text/shown.ts'
import type { Command } from '../../turn/port/command.ts'
import { cleanWorkspaces } from '../clean.ts'
import { inboundWords } from '../words.ts'

export const clean: Command = {
  name: 'clean',
  summary: inboundWords.cleanSummary(),
  about: 'channel',
  async run({ project, session, deps }) {
    const { removed, bytes } = await cleanWorkspaces(deps, project, session?.id)
    const days = deps.idleWorkspaceDays
    if (removed === 0) return inboundWords.noneIdle({ days })
    return inboundWords.filesCleaned({ threads: removed, days, bytes: sizeWords(bytes) })
  },
}
