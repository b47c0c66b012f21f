import type { Person } from '../../domain/chat.ts'
import type { Grant } from '../../domain/grant.ts'
import { asCode } from '../../kit/text/shown.ts'
import { oneLine, plainName } from '../../kit/text/text.ts'
import { grantsFor } from '../../store/grants.ts'
import { findRequest } from '../../store/requests.ts'
import type { Session } from '../../store/sessions.ts'
import { revokeGrant } from '../../trust/give-grant.ts'
import { noteRefusal } from '../../trust/refusals.ts'
import type { Command, CommandDeps } from '../../turn/port/command.ts'
import { whyMayNot } from '../../turn/port/who-may.ts'
import { inboundWords } from '../words.ts'
import { patternsOf, shortGrantId } from './grants.ts'

/** Every id begins with a digit, so `revoke that` isn't a command. */
const idPattern = /^(grant_)?\d[0-9a-z]{3,31}$/

export const revoke: Command = {
  name: 'revoke',
  summary: inboundWords.revokeSummary(),
  argument: { name: 'id', pattern: idPattern },
  about: 'thread',
  async run({ argument, session, person, deps }) {
    const wanted = argument.replace(/`/g, '').toLowerCase()
    if (!idPattern.test(wanted)) return inboundWords.whichGrant()
    const prefix = `grant_${wanted.replace(/^grant_/, '')}`
    const inForce = await grantsFor(deps.store.db, { session: session.id, thread: session.thread }, deps.clock.now())
    const [grant, another] = inForce.filter(({ id }) => id.startsWith(prefix))
    if (grant === undefined) return inboundWords.noSuchGrant({ wanted })
    if (another !== undefined) return inboundWords.ambiguousGrant({ wanted })
    const reason = await whyNotTheirs(grant, person, session, deps)
    return {
      async act(tx) {
        if (reason !== undefined) {
          await noteRefusal(tx, { session: session.id, about: { grant: grant.id } }, person, reason)
          return reason
        }
        if (!(await revokeGrant(tx, grant.id, person))) return inboundWords.grantAlreadyEnded()
        const what = oneLine(patternsOf(grant, asCode), 300)
        return inboundWords.grantRevoked({ tool: grant.tool, what, grant: shortGrantId(grant) })
      },
    }
  },
}

/**
 * A grant may be ended by whoever may decide such calls, by whoever gave it, and by the operator. Undefined when this
 * person may.
 */
async function whyNotTheirs(
  { by, tool, request: id }: Grant,
  person: Person,
  session: Session,
  deps: CommandDeps,
): Promise<string | undefined> {
  if (person.id === by.id) return undefined
  const request = await findRequest(deps.store.db, id)
  // If the request is gone, assume the highest risk.
  const risk = request?.kind === 'approval' ? request.payload.risk : 'critical'
  const refusal = (who: string) => inboundWords.mayNotRevoke({ who, name: plainName(by.name) })
  return whyMayNot({ tool, risk, request, what: 'end this', refusal }, person, session, deps)
}
