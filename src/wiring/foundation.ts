import { lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isLoopback } from '../api/security.ts'
import { type Config, databasePlace } from '../config/config.ts'
import { newId } from '../domain/ids.ts'
import { refuseBeside, takeProcessLock } from '../engine/process-lock.ts'
import { systemClock } from '../kit/clock.ts'
import { Failure } from '../kit/failure.ts'
import { FollowedClock } from '../kit/followed-clock.ts'
import { newToken } from '../kit/new-token.ts'
import { createSecrets } from '../kit/secrets/secrets.ts'
import { expectedFiles } from '../store/files.ts'
import { nodesOf } from '../store/lock.ts'
import { makePrivate } from '../store/make-private.ts'
import { type Db, Store } from '../store/store.ts'
import { addFirstToken } from '../store/tokens.ts'
import type { Capability } from '../turn/port/capability.ts'
import { openStaging } from '../workspace/staging.ts'
import { refuseHalfRestored } from './backup/staging.ts'
import type { Surroundings } from './bot.ts'
import { createLog } from './log.ts'
import { outageLog, reportTo } from './reports.ts'
import { onSameDisk } from './same-disk.ts'
import { ownSecrets } from './secrets.ts'
import { nodeComplaints } from './settings.ts'
import { version } from './version.ts'

/** How long a server may owe an answer before it is asked whether it is still there, ms. */
const answerMs = 60_000

/**
 * The base of everything else: the log, the secrets it masks, and the database, which from here on only this process
 * uses.
 */
export async function layFoundation(config: Config, capabilities: readonly Capability[], surroundings: Surroundings) {
  const { lostToAnother = () => {} } = surroundings
  const followed = config.databaseUrl === undefined ? undefined : new FollowedClock()
  const clock = surroundings.clock ?? followed ?? systemClock
  const isOpen = !isLoopback(config.server.host)
  /** Printed once, if it becomes the first token of all. */
  const candidate = newToken()
  const ofConsole = isOpen ? [{ name: 'console token', value: candidate }] : []
  const secrets = createSecrets([...ownSecrets(config, capabilities), ...ofConsole])
  const log = createLog(config.logLevel, secrets.mask)
  const report = reportTo(log)
  makePrivate(config.dataDir)
  refuseHalfRestored(config.dataDir)
  const holder = newId('node')
  checkNode(config)
  const { silentMs } = config.engine
  // A start that is refused leaves the tables to the version that runs.
  const beforeMigrating = (db: Db) => refuseBeside(db, silentMs)
  const store = await Store.open(databasePlace(config), clock, secrets.mask, {
    answerMs,
    ...surroundings,
    holder,
    beforeMigrating,
  })
  const { server } = store
  /** Processes whose own clocks differ agree about the time. */
  const followTime = async () => server && followed?.follow(server.now)
  const { node, dataDir } = config
  const take = () => takeProcessLock(store, { silentMs, lost: lostToAnother, node, version, holder })
  const lock = await followTime()
    .then(() => (node === undefined ? take() : onSameDisk(store, { holder, node, dataDir, silentMs }, take)))
    .catch(async (thrown) => {
      await store.close()
      throw thrown
    })
  store.wire?.tell('node', null)
  store.availability.whenChanged(outageLog(log))
  makeWorkspaces(join(config.dataDir, 'workspace'))
  const staging = await openStaging(join(config.dataDir, 'incoming'))
  const others = (await nodesOf(store.db)).filter(({ holder }) => holder !== lock.holder)
  await staging.sweep(await expectedFiles(store.db), others.length === 0 ? 'alone' : 'besideOthers')
  const isFirst = () => store.transaction((tx) => addFirstToken(tx, { name: 'first', value: candidate }))
  /** It is shown once, so it is made only when nothing can keep the bot from starting any more. */
  const firstToken = async () => (isOpen && (await isFirst()) ? candidate : undefined)
  return { config, clock, isOpen, firstToken, secrets, log, report, store, lock, staging, followTime }
}

/**
 * What is created just while a program starts isn't private, as the program gets the operator's umask. So the folder
 * above all workspaces comes first.
 */
function makeWorkspaces(directory: string): void {
  // A link may lead to a disk that isn't connected yet.
  if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) mkdirSync(directory, { recursive: true })
}

/** Throws `node_missing`. */
function checkNode(config: Config): void {
  const [missing] = nodeComplaints(config)
  if (missing !== undefined) throw new Failure('node_missing', `${missing.message}.`, missing.remedy)
}

export type Foundation = Awaited<ReturnType<typeof layFoundation>>
