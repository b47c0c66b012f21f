import { parseArgs } from 'node:util'
import { databasePlace } from '../config/config.ts'
import type { Message } from '../domain/messages.ts'
import { Failure, reasonOf } from '../kit/failure.ts'
import { counted } from '../kit/text/shown.ts'
import { oneLine, plainName, visible } from '../kit/text/text.ts'
import { countJobsOf, type JobCount } from '../store/jobs.ts'
import { pendingRequests } from '../store/list-requests.ts'
import { readMessages } from '../store/messages.ts'
import { listSessions, type Session } from '../store/sessions.ts'
import type { Db } from '../store/store.ts'
import { countTurns, lastTurns } from '../store/turns.ts'
import { loadOrThrow } from './load.ts'
import { openStore } from './open-store.ts'
import { threadNamed } from './thread-named.ts'
import { UsageFault } from './usage.ts'
import { cliWords } from './words.ts'

const usage = 'Usage: sessions [--limit <number>] [--person <name>], sessions show <id>.'
/** How many sessions are listed, and how many messages of one. */
const latest = 20
const most = 10_000

/** Lists the latest sessions, or shows one. Works while the bot runs. */
export async function sessionsCommand(args: string[]): Promise<number> {
  const { limit, who, id } = parsed(args)
  const store = await openStore(databasePlace(loadOrThrow()))
  try {
    const lines = id === undefined ? await list(store.db, limit, who) : await show(store.db, id)
    const none = who === undefined ? cliWords.noSessions() : cliWords.noSessionsOf({ who })
    process.stdout.write(`${lines.join('\n') || none}\n`)
    return 0
  } finally {
    await store.close()
  }
}

function parsed(args: string[]): { limit: number; who: string | undefined; id: string | undefined } {
  let values: { limit?: string | undefined; person?: string | undefined }
  let positionals: string[]
  try {
    const options = { limit: { type: 'string' }, person: { type: 'string' } } as const
    ;({ values, positionals } = parseArgs({ args, options, allowPositionals: true }))
  } catch (thrown) {
    throw new UsageFault(reasonOf(thrown), usage)
  }
  const [action, id, ...more] = positionals
  const limit = Number(values.limit ?? latest)
  if (!Number.isInteger(limit) || limit < 1 || limit > most)
    throw new UsageFault(`--limit is a number from 1 to ${most}.`, usage)
  if (action === undefined) return { limit, who: values.person, id: undefined }
  if (action !== 'show' || id === undefined || more.length > 0 || Object.keys(values).length > 0)
    throw new UsageFault(cliWords.noSubcommand({ command: `sessions ${args.join(' ')}` }), usage)
  return { limit, who: undefined, id }
}

async function list(db: Db, limit: number, who: string | undefined): Promise<string[]> {
  const sessions = await listSessions(db, { limit, who })
  const ids = sessions.map(({ id }) => id)
  const [turns, lasts, jobs] = await Promise.all([countTurns(db, ids), lastTurns(db, ids), countJobsOf(db, ids)])
  return sessions.map((session) => {
    const state = lasts.get(session.id)?.state ?? 'new'
    const work = `${counted(turns.get(session.id) ?? 0, 'turn')}${jobWords(jobs.get(session.id))}`
    return `${session.id}  ${timeWords(session.updatedAt)}  ${state.padEnd(7)}  ${work.padEnd(7)}  ${placeOf(session)}  ${visible(oneLine(session.title, 60))}`
  })
}

async function show(db: Db, id: string): Promise<string[]> {
  const session = await threadNamed(db, id)
  if (session === undefined) throw noSession(id)
  const [turns, lasts, jobs, requests, messages] = await Promise.all([
    countTurns(db, [session.id]),
    lastTurns(db, [session.id]),
    countJobsOf(db, [session.id]),
    pendingRequests(db, session.id),
    readMessages(db, session.id, { limit: latest }),
  ])
  const state = session.isDeleted ? 'deleted' : (lasts.get(session.id)?.state ?? 'new')
  return [
    `${session.id}  ${placeOf(session)}  ${visible(oneLine(session.title, 60))}`,
    `begun ${timeWords(session.createdAt)} by ${plainName(session.person.name)}, last used ${timeWords(session.updatedAt)} (UTC)`,
    `${state}, ${counted(session.messages, 'message')} in ${counted(turns.get(session.id) ?? 0, 'turn')}, ${counted(requests.length, 'question')} waiting${jobWords(jobs.get(session.id))}`,
    ...(messages.length === 0 ? [] : ['', ...messages.flatMap(messageLine)]),
  ]
}

function messageLine(message: Message): string[] {
  const text = visible(oneLine(message.text, 200))
  if (message.role === 'tool') return [`  ${timeWords(message.at)}  (result)  ${text}`]
  if (message.role === 'user') {
    const who = message.person === undefined ? `(${message.origin})` : plainName(message.person.name)
    return [`  ${timeWords(message.at)}  ${who}: ${text}`]
  }
  const calls = message.calls.map(({ name }) => name).join(', ')
  return [`  ${timeWords(message.at)}  Bobbin: ${[text, calls && `(calls ${calls})`].filter(Boolean).join(' ')}`]
}

const noSession = (id: string): Failure =>
  new Failure(
    'no_session',
    cliWords.noSession({ id: JSON.stringify(oneLine(id, 80)) }),
    '`bobbin sessions` lists them.',
  )

const timeWords = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
const placeOf = ({ thread }: Session): string => `${thread.platform}/${thread.project}`

/** Empty when there is nothing to say. */
function jobWords({ open, failed }: JobCount = { open: 0, failed: 0 }): string {
  const words = [...(open > 0 ? [`${open} open`] : []), ...(failed > 0 ? [`${failed} failed`] : [])]
  return words.length === 0 ? '' : `, jobs: ${words.join(', ')}`
}
