import type { Person } from '../../domain/chat.ts'
import { type Session, sessionsByPrefix } from '../../store/sessions.ts'
import { type Command, shortId, threadLink } from '../../turn/port/command.ts'
import { type Resumed, resumeTurn } from '../../turn/state/resume.ts'
import { inboundWords } from '../words.ts'

const words: Record<Resumed, () => string> = {
  resumed: inboundWords.continuing,
  'nothing-to-resume': inboundWords.nothingInterrupted,
  'waits-for-a-person': inboundWords.threadWaitsForCard,
}

export const resume: Command = {
  name: 'resume',
  summary: inboundWords.resumeSummary(),
  argument: { name: 'id', pattern: /^(ses_)?\d[0-9a-z]{0,31}$/i },
  about: 'channel',
  async run(context) {
    const { argument, session, person, project, deps } = context
    if (argument === '')
      return session === undefined ? inboundWords.resumeWhich() : { act: (tx) => resumeHere(tx, session, person) }
    const found = await sessionsByPrefix(
      deps.store.db,
      project,
      `ses_${argument.replace(/`/g, '').toLowerCase().replace(/^ses_/, '')}`,
    )
    const [one, another] = found
    if (one === undefined) return inboundWords.noSuchThread({ argument })
    if (another !== undefined) return inboundWords.ambiguousThread({ argument, found: found.map(shortId).join(', ') })
    const link = threadLink(context, one, one.title || shortId(one))
    return {
      in: one,
      async act(tx) {
        const outcome = await resumeTurn(tx, one.id, person)
        if (outcome === 'resumed') tx.wakes(one.id)
        return `${link}: ${words[outcome]()}`
      },
    }
  },
}

const resumeHere = async (tx: Parameters<typeof resumeTurn>[0], session: Session, person: Person) =>
  words[await resumeTurn(tx, session.id, person)]()
