import { sizeWords } from '../../kit/text/shown.ts'
import { isOperatorsPlace } from '../../trust/who.ts'
import { type Command, counted, oneOf, type ThreadContext } from '../../turn/port/command.ts'
import { filesIn } from '../../workspace/thread-files.ts'
import { deleteThread } from '../delete-thread.ts'
import { inboundWords } from '../words.ts'

export const deleting: Command = {
  name: 'delete',
  summary: inboundWords.deleteSummary(),
  argument: oneOf('yes'),
  about: 'thread',
  async run(context) {
    const { argument, session, person, deps } = context
    const operator = isOperatorsPlace(session.thread)
    if (!operator && person.id !== session.person.id) return inboundWords.onlyStarterDeletes()
    if (argument.toLowerCase() !== 'yes') return ask(context)
    return {
      interrupts: true,
      async act(tx) {
        await deleteThread(tx, session.id, person, deps.liveTexts)
        return operator ? inboundWords.threadDeleted() : inboundWords.threadForgotten()
      },
    }
  },
}

async function ask({ session, deps }: ThreadContext): Promise<string> {
  const files = await Array.fromAsync(filesIn(await deps.workspaces.open(session)))
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const stored = [
    counted(session.messages, 'message'),
    ...(files.length > 0 ? [`${counted(files.length, 'file')} (${sizeWords(bytes)})`] : []),
  ].join(', ')
  const what = inboundWords.andAlarms({ what: stored })
  return isOperatorsPlace(session.thread)
    ? inboundWords.confirmDelete({ what })
    : inboundWords.confirmDeleteInChat({ what })
}
