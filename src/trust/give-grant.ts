import type { Person } from '../domain/chat.ts'
import { callBinding, closedBinding, type Grant, type GrantChoice } from '../domain/grant.ts'
import type { ApprovalRequest } from '../domain/request.ts'
import { appendAudit } from '../store/audit.ts'
import { appendEvents } from '../store/events.ts'
import { endGrant, expiredGrants, findGrant, insertGrant, unusedGrants } from '../store/grants.ts'
import { homeOf, type Session } from '../store/sessions.ts'
import type { Store, Tx } from '../store/store.ts'
import { tellRefusals } from './refusals.ts'

/** Stores what a person allowed with "always", in the transaction of their answer. */
export async function giveGrant(
  tx: Tx,
  request: ApprovalRequest,
  session: Session,
  { pattern, scope, forMs }: GrantChoice,
  person: Person,
): Promise<void> {
  const { tool, grants } = request.payload
  if (grants === undefined) return
  const { platform, tenant, project } = session.thread
  const isWide = pattern === 'wide' && grants.wide !== undefined
  const patterns = (isWide && grants.wide) || grants.exact
  const wideBinding = grants.closed ? closedBinding : request.payload.binding
  const binding = isWide ? wideBinding : callBinding(request.payload.call)
  const until = forMs === undefined ? undefined : tx.now + forMs
  const id = await insertGrant(tx, {
    tool,
    patterns,
    binding,
    scope,
    session: homeOf(session),
    platform,
    tenant,
    project,
    untrusted: grants.untrusted || binding === closedBinding,
    until,
    request: request.id,
    by: person,
  })
  const data = { grant: id, request: request.id, tool, patterns, scope, until, by: person.id }
  await appendAudit(tx, { kind: 'granted', session: homeOf(session), data })
  await appendEvents(tx, homeOf(session), [{ type: 'granted', data: { grant_id: id, tool_name: tool, person } }])
}

/** False when there is no such grant, or it has already ended. `cause` says what ended it when no person did. */
export async function revokeGrant(tx: Tx, id: string, person: Person | undefined, cause = 'its end'): Promise<boolean> {
  const grant = await findGrant(tx.db, id)
  if (grant === undefined) return false
  await tx.hold(grant.session)
  if (!(await endGrant(tx, grant.id, person))) return false
  const data = { grant: grant.id, tool: grant.tool, by: person?.id ?? cause }
  await appendAudit(tx, { kind: 'revoked', session: grant.session, data })
  await tellRefusals(tx, { session: grant.session, about: { grant: grant.id } })
  if (person !== undefined) {
    const told = { grant_id: grant.id, tool_name: grant.tool, person }
    await appendEvents(tx, grant.session, [{ type: 'revoked', data: told }])
  }
  return true
}

/** Ends grants that have expired or no longer apply, so that the list shows only what is really allowed. */
export async function endExpiredGrants(store: Store, now: number): Promise<void> {
  const end = ({ id }: Grant, cause?: string) => store.transaction((tx) => revokeGrant(tx, id, undefined, cause))
  for (const grant of await expiredGrants(store.db, now)) await end(grant)
  for (const grant of await unusedGrants(store.db)) await end(grant, 'no longer used: commands have no patterns')
}
