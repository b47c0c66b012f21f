import { oneLine } from '../../kit/text/text.ts'
import { latestWords } from '../../store/messages.ts'
import { listSessions } from '../../store/sessions.ts'
import { countTurns } from '../../store/turns.ts'
import { type Command, oneOf, shortId, threadLink } from '../../turn/port/command.ts'
import { inboundWords } from '../words.ts'

const latest = 20

export const list: Command = {
  name: 'list',
  summary: inboundWords.listSummary(),
  argument: oneOf('mine'),
  about: 'channel',
  async run(context) {
    const { db } = context.deps.store
    const mine = /^mine$/i.test(context.argument)
    const person = mine ? context.person.id : undefined
    const sessions = await listSessions(db, { project: context.project, person, limit: latest })
    if (sessions.length === 0) return mine ? inboundWords.youHaveNoThreads() : inboundWords.noThreadsHere()
    const ids = sessions.map(({ id }) => id)
    const [turns, words] = await Promise.all([countTurns(db, ids), latestWords(db, ids)])
    const lines = sessions.map((session) => {
      const title = threadLink(context, session, plain(session.title) || inboundWords.untitled())
      const at = `${new Date(session.updatedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`
      const last = plain(words.get(session.id) ?? '')
      const about = { id: shortId(session), title, at, turns: turns.get(session.id) ?? 0 }
      return `- ${last === '' ? inboundWords.threadLine(about) : inboundWords.threadLineLast({ ...about, last })}`
    })
    return [mine ? inboundWords.latestOfYours() : inboundWords.latestThreads(), ...lines].join('\n')
  },
}

/** One line without formatting, from text that people or models wrote. */
const plain = (text: string): string => oneLine(text.replace(/[`*~<>|[\]\\#]|(?<!\w)_|_(?!\w)/g, ''), 60)
