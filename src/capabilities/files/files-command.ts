import { codePath, sizeWords } from '../../kit/text/shown.ts'
import { cleanedWords } from '../../turn/port/cleaned.ts'
import type { Command } from '../../turn/port/command.ts'
import { filesIn } from '../../workspace/thread-files.ts'
import { filesWords } from './words.ts'

/** Any further ones are counted instead of listed. */
const most = 50

export const filesCommand: Command = {
  name: 'files',
  summary: filesWords.summary(),
  about: 'thread',
  async run({ session, deps }) {
    const workspace = await deps.workspaces.open(session)
    const lines: string[] = []
    let more = 0
    for await (const { path, size } of filesIn(workspace)) {
      if (lines.length < most) lines.push(`- ${codePath(path)} (${sizeWords(size)})`)
      else more++
    }
    const cleaned = await deps.workspaces.cleaned(session)
    const gone = cleaned && cleanedWords(cleaned, session.timeZone)
    if (lines.length === 0) return gone ? filesWords.noFilesLeft({ cleaned: gone }) : filesWords.nothingStored()
    const rest = [...(more > 0 ? [`- ${filesWords.andMore({ count: more })}`] : []), ...(gone ? [`(${gone})`] : [])]
    return [filesWords.filesTitle(), ...lines, ...rest].join('\n')
  },
}
