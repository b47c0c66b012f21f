import type { StoredCall } from '../store/calls.ts'
import { hasCall, listCalls } from '../store/list-calls.ts'
import { withinBytes } from '../store/within-bytes.ts'
import { shownInput } from '../turn/settle/shown-input.ts'
import type { Api, ApiDeps } from './deps.ts'
import { ApiError, checked } from './errors.ts'
import { callsQuery } from './schemas.ts'
import { sessionOf } from './who.ts'
import { apiWords } from './words.ts'

/** The tool calls of a conversation. */
export function executionRoutes(api: Api, deps: ApiDeps): void {
  const { store } = deps
  api.get('/agent/conversations/:id/tool-executions', async (context) => {
    const session = await sessionOf(context, deps)
    const { limit, turn_id: turn, before } = checked(callsQuery, context.req.query())
    if (before !== undefined && !(await hasCall(store.db, session.id, before)))
      throw new ApiError(400, 'invalid', apiWords.unknownCall(), apiWords.unknownCallRemedy())
    const { rows, hasMore } = await withinBytes<StoredCall>(limit, (last, most) =>
      listCalls(store.db, session.id, { limit: most, turn, before: last?.id ?? before }),
    )
    const inOrder = rows.toReversed().map((call) => store.mask(execution(call)))
    return context.json({ tool_executions: inOrder, has_more: hasMore })
  })
}

const execution = (call: StoredCall) => ({
  call_id: call.id,
  turn_id: call.turn,
  tool_name: call.name,
  tool_input: shownInput(call),
  status: call.state,
  result: call.result ?? null,
  attempts: call.attempt,
  started_at: call.startedAt === undefined ? null : new Date(call.startedAt).toISOString(),
  ended_at: call.endedAt === undefined ? null : new Date(call.endedAt).toISOString(),
})
