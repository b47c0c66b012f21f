import { type Grant, isOfClosed, isOfContents, isOfOneCall } from '../domain/grant.ts'
import { findGrant, grantsFor, listGrants } from '../store/grants.ts'
import { findSession } from '../store/sessions.ts'
import { revokeGrant } from '../trust/give-grant.ts'
import type { Api, ApiDeps } from './deps.ts'
import { ApiError, checked } from './errors.ts'
import { grantsQuery } from './schemas.ts'
import { noConversation, personIn, speaker } from './who.ts'
import { apiWords } from './words.ts'

/** What runs without asking, and how to end it. */
export function grantRoutes(api: Api, deps: ApiDeps): void {
  const { store } = deps

  /** All grants ever, those in force first, or with a conversation those that hold there now; newest first. */
  api.get('/grants', async (context) => {
    const { conversation_id, limit } = checked(grantsQuery, context.req.query())
    if (conversation_id === undefined) {
      const all = await store.transaction((tx) => listGrants(tx.db, limit, tx.now))
      return context.json({ grants: all.map(shape) })
    }
    const session = await findSession(store.db, conversation_id)
    if (session === undefined) throw noConversation()
    const where = { session: session.id, thread: session.thread }
    const holding = await store.transaction((tx) => grantsFor(tx.db, where, tx.now))
    return context.json({ grants: holding.toReversed().slice(0, limit).map(shape) })
  })

  api.delete('/grants/:id', async (context) => {
    const id = context.req.param('id')
    const grant = await findGrant(store.db, id)
    if (grant === undefined) throw noGrant(id)
    const person = personIn(await findSession(store.db, grant.session), await speaker(context, deps))
    if (!(await store.transaction((tx) => revokeGrant(tx, id, person)))) throw ended()
    const revoked = await findGrant(store.db, id)
    return context.json({ grant: revoked && shape(revoked) })
  })
}

const noGrant = (id: string) =>
  new ApiError(404, 'not_found', apiWords.noGrant({ id: JSON.stringify(id) }), apiWords.unknownGrantRemedy())

const ended = () => new ApiError(409, 'already_ended', apiWords.grantEnded(), apiWords.grantEndedRemedy())

const isoOf = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString())

function shape(grant: Grant) {
  return {
    id: grant.id,
    tool_name: grant.tool,
    patterns: grant.patterns,
    /** One call with exactly these arguments, not whatever matches the patterns. */
    only_this_call: isOfOneCall(grant),
    /** It holds only while the files that the calls run stay the same. */
    bound_to_content: isOfContents(grant),
    /** Every command and script that runs in the closed sandbox; `tool_name` is the tool that was asked about. */
    closed_sandbox: isOfClosed(grant),
    scope: grant.scope,
    conversation_id: grant.session,
    platform: grant.platform,
    tenant_id: grant.tenant,
    project_id: grant.project,
    untrusted: grant.untrusted,
    request_id: grant.request,
    given_by: grant.by,
    given_at: isoOf(grant.at),
    until: isoOf(grant.until),
    ended_at: isoOf(grant.endedAt),
    /** Null if it expired. */
    ended_by: grant.endedBy ?? null,
    uses: grant.uses,
  }
}
