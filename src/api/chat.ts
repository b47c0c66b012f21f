import type { Context } from 'hono'
import type { Incoming } from '../domain/chat.ts'
import type { ToldEvent } from '../domain/events.ts'
import { endsStream } from '../domain/events.ts'
import { newId, type SessionId } from '../domain/ids.ts'
import { Failure } from '../kit/failure.ts'
import { digest } from '../kit/text/digest.ts'
import { consoleName } from '../platforms/console/console.ts'
import { parentCallOf } from '../store/children.ts'
import { findByDedupKey } from '../store/inbox.ts'
import { findSession } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import { readJson, readMultipart } from './body.ts'
import type { Api, ApiDeps } from './deps.ts'
import { ApiError, checked } from './errors.ts'
import { eventStream } from './event-stream.ts'
import { follow } from './follow.ts'
import { chatBody, longestKey } from './schemas.ts'
import { checkIsNoSkill } from './skill-name.ts'
import { noConversation, personOf } from './who.ts'
import { apiWords } from './words.ts'

/** The only one of the console. */
const tenant = 'local'

/**
 * POST /agent/chat: takes a message and returns its events; POST /agents/<name>/invoke: gives its thread to an agent as
 * well.
 */
export function chatRoute(api: Api, deps: ApiDeps): void {
  const take = async (context: Context, agent?: string) => {
    const { fields, files } = await read(context, deps)
    try {
      const body = checked(chatBody, fields)
      if (body.message.trim() === '' && files.length === 0 && body.replaces === undefined) {
        throw new ApiError(400, 'empty', apiWords.messageEmpty(), 'Send `message`, or files, or both.')
      }
      if (body.replaces !== undefined && body.conversation_id === undefined) {
        throw invalid('`replaces` names a message of a conversation.', 'Send `conversation_id` too.')
      }
      const key = idempotencyKey(context) ?? newId('msg')
      const person = personOf(deps, body.user_id)
      const dedupKey = `${consoleName}:${JSON.stringify([person.id, key])}`
      const to = await threadOf(body, dedupKey, deps)
      // A message that was taken already is answered, whatever has become of the agent's name since.
      if (agent !== undefined && (await findByDedupKey(deps.store.db, dedupKey)) === undefined)
        await checkIsNoSkill(agent, to.thread, context.req.url, deps)
      const incoming: Incoming = {
        dedupKey,
        ...to,
        person,
        text: `${agent === undefined ? '' : `@${agent} `}${withoutMention(body.message)}`,
        addressed: true,
        files,
        timeZone: body.time_zone,
        replaces: body.replaces,
        seen: body.seen,
      }
      const receipt = await deps.receive(incoming)
      context.header('X-Conversation-Id', receipt.session)
      return eventStream(context, deps, (signal) =>
        untilAnswered(deps, receipt.session, receipt.eventId, dedupKey, signal),
      )
    } catch (thrown) {
      // If the message may be stored, its files stay: those that nobody waits for are swept away later.
      const mayBeStored = thrown instanceof Failure && thrown.code === 'outcome_unknown'
      if (!mayBeStored) await Promise.all(files.map((file) => deps.staging.drop(file)))
      throw thrown
    }
  }
  api.post('/agent/chat', (context) => take(context))
  api.post('/agents/:name/invoke', async (context) => {
    const name = context.req.param('name')
    // Bobbin itself would answer a message that names nobody.
    const asked = new URL(`/api/v1/agents/${encodeURIComponent(name)}/invoke?tenant_id=${tenant}`, context.req.url)
    const said = await deps.routes.get('agents')?.(new Request(asked, { method: 'POST' }))
    return said?.ok === false ? said : take(context, name)
  })
}

const invalid = (message: string, remedy: string): ApiError => new ApiError(400, 'invalid', message, remedy)

/** Undefined if missing. Throws 400 if it is too long to be kept. */
function idempotencyKey(context: Context): string | undefined {
  const key = context.req.header('idempotency-key')
  if (key === undefined || key === '') return undefined
  if (key.length <= longestKey) return key
  throw invalid(apiWords.idempotencyKeyTooLong({ longestKey }), apiWords.idempotencyKeyRemedy())
}

async function read(context: Context, { config, staging }: ApiDeps) {
  const { bodyBytes } = config.server
  if (/^multipart\/form-data\b/i.test(context.req.header('content-type') ?? '')) {
    return readMultipart(context, staging, { bodyBytes, ...config.uploads })
  }
  return { fields: await readJson(context, bodyBytes), files: [] }
}

/** A message repeated after a failure finds the thread that it may have begun. */
async function threadOf(body: { conversation_id?: string; project_id?: string }, dedupKey: string, { store }: ApiDeps) {
  if (body.conversation_id === undefined) {
    const project = body.project_id ?? 'general'
    return { thread: { platform: consoleName, tenant, project, thread: digest(dedupKey) } }
  }
  const session = await findSession(store.db, body.conversation_id)
  if (session === undefined || session.isDeleted) throw noConversation()
  const { platform } = session.thread
  if (platform !== consoleName) {
    throw new ApiError(409, 'elsewhere', apiWords.threadElsewhere({ platform }), apiWords.threadElsewhereRemedy())
  }
  const { project } = session.thread
  if (body.project_id !== undefined && body.project_id !== project)
    throw invalid(apiWords.otherProject({ project }), apiWords.otherProjectRemedy())
  return { thread: session.thread, session: session.id }
}

/** In the console everything is addressed to the bot, so a mention is optional. */
const withoutMention = (text: string): string => text.replace(/^\s*@bobbin\b[,:]?\s*/iu, '')

/** From the message to the end of the turn that read it, or until that turn waits for a person. */
async function* untilAnswered(
  deps: ApiDeps,
  session: SessionId,
  from: number,
  dedupKey: string,
  signal: AbortSignal,
): AsyncGenerator<ToldEvent> {
  const { store } = deps
  for await (const event of follow(deps, session, from, signal)) {
    yield event
    if (event.event_id === undefined) continue
    if (event.type === 'waiting') return
    // The answer to a command has no turn.
    const last = event.type === 'message' && event.data.role === 'assistant' && event.data.turn_id === undefined
    if (last && (await wasReadBy(store, dedupKey, event))) return
    if (endsStream(event.type) && (await wasReadBy(store, dedupKey, event))) return
  }
}

async function wasReadBy(store: Store, dedupKey: string, event: ToldEvent): Promise<boolean> {
  const received = await findByDedupKey(store.db, dedupKey)
  if (received === undefined || received.state === 'pending') return false
  if (received.turn === null) return true
  // A message may have answered the question of a child, whose parent goes on.
  const { turn } = (await parentCallOf(store.db, received.session)) ?? received
  return 'turn_id' in event.data && event.data.turn_id === turn
}
