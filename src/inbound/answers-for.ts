import type { Person } from '../domain/chat.ts'
import type { ClickOutcome, HomeOf, InboundSink, PersonInChannel } from '../platforms/inbound-sink.ts'
import { findRequest } from '../store/requests.ts'
import { findSession } from '../store/sessions.ts'
import { barred } from '../trust/admit.ts'
import { type AnswerOutcome, answer, whyNoAnswer } from '../trust/answer.ts'
import type { HearDeps } from './hear.ts'
import { inboundWords } from './words.ts'

/** The part of a sink that takes clicks on cards, and forms. */
export function answersFor(
  platform: string,
  deps: HearDeps,
): Pick<InboundSink, 'request' | 'takesFiles' | 'whyNot' | 'answer'> {
  const { store, engine, access } = deps

  /** A card belongs to its channel; knowing its id must not be enough to answer it from elsewhere. */
  async function refusedHere(id: string, by: PersonInChannel | HomeOf): Promise<ClickOutcome | undefined> {
    const request = await findRequest(store.db, id)
    const session = request && (await findSession(store.db, request.session))
    if (session === undefined || session.thread.platform !== platform) return notFound
    const { person, tenant } = by
    const { project } = session.thread
    if (session.thread.tenant !== tenant || !isIn(by, project)) return notFound
    const reason = barred({ person, tenant, project }, access)
    return reason === undefined ? undefined : { kind: 'not-allowed', reason: notAllowed(person) }
  }

  async function toClick(id: string, outcome: AnswerOutcome): Promise<ClickOutcome> {
    if (outcome.kind === 'not-allowed') return outcome
    if (outcome.kind === 'not-found' || outcome.kind === 'unfit') return { kind: outcome.kind }
    const request = await findRequest(store.db, id)
    return request === undefined ? notFound : { kind: outcome.kind, request }
  }

  return {
    request: (id) => findRequest(store.db, id),

    takesFiles: async ({ session }) => (await findSession(store.db, session))?.parent === undefined,

    async whyNot(id, by) {
      const refused = await refusedHere(id, by)
      if (refused !== undefined) return refused
      const outcome = await whyNoAnswer(deps, id, { person: by.person, operator: false })
      return outcome && toClick(id, outcome)
    },

    async answer(id, given, by) {
      const refused = await refusedHere(id, by)
      if (refused !== undefined) return refused
      const outcome = await answer(deps, id, given, { person: by.person, operator: false })
      if (outcome.kind === 'taken') engine.wake(outcome.session)
      return toClick(id, outcome)
    },
  }
}

export const notAllowed = ({ unchecked }: Person): string =>
  unchecked ? inboundWords.workspaceUnchecked() : inboundWords.notAllowed()

const isIn = (by: PersonInChannel | HomeOf, project: string): boolean =>
  'projects' in by ? by.projects.has(project) : by.project === project

const notFound: ClickOutcome = { kind: 'not-found' }
