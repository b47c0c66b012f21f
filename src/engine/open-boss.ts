import { type Db, PgBoss } from 'pg-boss'
import { Failure } from '../kit/failure.ts'
import type { DatabaseServer } from '../store/database.ts'
import { engineWords } from './words.ts'

export const queue = 'sessions'
export const schema = 'bobbin_engine'

const queueOptions = {
  policy: 'stately' as const,
  // The supervisors of older versions go by these two; here claims don't expire.
  expireInSeconds: 86_400,
  retryLimit: 1_000_000,
}

/** PostgreSQL's code for a missing right. */
const notAllowed = '42501'

const denied = (cause: unknown): Failure =>
  new Failure('database_denied', engineWords.schemaDenied({ schema }), engineWords.schemaDeniedRemedy(), {
    cause,
  })

export const dbOf = (server: DatabaseServer): Db => ({ executeSql: server.run })

/** It looks for nothing by itself. Failures that nobody waits for are reported. */
async function start(server: DatabaseServer, report: (thrown: unknown) => void, migrate: boolean): Promise<PgBoss> {
  const boss = new PgBoss({
    db: dbOf(server),
    schema,
    migrate,
    schedule: false,
    supervise: false,
    registerInstance: false,
    openTelemetry: { enabled: false },
  })
  boss.on('error', report)
  await orStop(boss, boss.start())
  return boss
}

async function orStop(boss: PgBoss, work: Promise<unknown>): Promise<void> {
  await work.catch(async (thrown) => {
    await boss.stop({ graceful: false })
    throw thrown
  })
}

/** Undefined if something is missing or unfinished. */
async function startReady(server: DatabaseServer, report: (thrown: unknown) => void): Promise<PgBoss | undefined> {
  const boss = await start(server, report, false).catch(() => undefined)
  const isReady = async () => {
    const made = await boss?.getBamStatus()
    return made?.every(({ status }) => status === 'completed') === true && (await boss?.getQueue(queue)) != null
  }
  if (boss === undefined || (await isReady().catch(() => false))) return boss
  await boss.stop({ graceful: false })
  return undefined
}

/** Creates its tables and the queue if they are missing. Several processes may do so at once. */
export async function openBoss(server: DatabaseServer, report: (thrown: unknown) => void): Promise<PgBoss> {
  const ready = await startReady(server, report)
  if (ready !== undefined) return ready
  const boss = await start(server, report, true).catch((thrown) => {
    throw 'code' in thrown && thrown.code === notAllowed ? denied(thrown) : thrown
  })
  await orStop(boss, boss.createQueue(queue, queueOptions))
  return boss
}

/** Creates the engine's tables, so that the user who runs the bot later doesn't need the right to. */
export async function prepareBoss(server: DatabaseServer): Promise<void> {
  // Failures are thrown as well.
  const boss = await openBoss(server, () => {})
  await boss.stop({ graceful: false })
}
