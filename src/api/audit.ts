import type { SessionId } from '../domain/ids.ts'
import { type AuditEntry, readAudit } from '../store/audit.ts'
import { type AuditVerdict, verifyAudit } from '../store/audit-chain.ts'
import type { Api, ApiDeps } from './deps.ts'
import { checked } from './errors.ts'
import { auditQuery } from './schemas.ts'

export function auditRoutes(api: Api, { store }: ApiDeps): void {
  /** A page in order: the entries after `after`, the last ones before `before`, or the latest. */
  api.get('/audit', async (context) => {
    const { after, before, limit, kind, conversation_id } = checked(auditQuery, context.req.query())
    const fromStart = after !== undefined
    const session = conversation_id as SessionId | undefined
    const range = fromStart && before === undefined ? { after } : { after, before: before ?? Number.MAX_SAFE_INTEGER }
    const found = await readAudit(store.db, { ...range, kind, session, limit: limit + 1 })
    // One entry more than requested shows whether there are more.
    const entries = 'before' in range ? found.slice(-limit) : found.slice(0, limit)
    return context.json({ entries: entries.map(shape), has_more: found.length > limit })
  })

  /** Every tab of the console asks for one by itself, so those that ask meanwhile get the same answer. */
  let verdict: Promise<AuditVerdict> | undefined
  api.get('/audit/verify', async (context) => {
    verdict ??= verifyAudit(store.db).finally(() => {
      verdict = undefined
    })
    return context.json(await verdict)
  })
}

const shape = ({ seq, at, kind, session, data, previous, hash }: AuditEntry) => ({
  seq,
  at: new Date(at).toISOString(),
  kind,
  conversation_id: session ?? null,
  data,
  previous,
  hash,
})
