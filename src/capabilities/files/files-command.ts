import { sizeWords } from '../../kit/text/shown.ts'
import { cleanedWords } from '../../turn/cleaned.ts'
import type { Command } from '../../turn/command.ts'
import { filesIn } from '../../workspace/thread-files.ts'

const noFiles = 'There are no files in this thread yet.'

/** Any further ones are counted instead of listed. */
const most = 50

export const filesCommand: Command = {
  name: 'files',
  summary: 'the files of this thread',
  about: 'thread',
  async run({ session, deps }) {
    const workspace = await deps.workspaces.open(session)
    const lines: string[] = []
    let more = 0
    for await (const { path, size } of filesIn(workspace)) {
      if (lines.length < most) lines.push(`- \`${path.replaceAll('`', "'")}\` (${sizeWords(size)})`)
      else more++
    }
    const cleaned = await deps.workspaces.cleaned(session)
    const gone = cleaned && cleanedWords(cleaned, session.timeZone)
    if (lines.length === 0) return gone ? `There are no files in this thread. ${gone}` : noFiles
    const rest = [...(more > 0 ? [`- and ${more} more`] : []), ...(gone ? [`(${gone})`] : [])]
    return ['The files of this thread:', ...lines, ...rest].join('\n')
  },
}
