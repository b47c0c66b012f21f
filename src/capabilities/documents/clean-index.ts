import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobKind } from '../../jobs/kind.ts'
import { nodesOf } from '../../store/lock.ts'
import { plainNodeName } from '../../store/lock-names.ts'
import type { Services } from '../../turn/port/scope.ts'

const cleanEveryMs = 3_600_000
const dayMs = 86_400_000

/** Nobody takes deleted threads out of the index of a process that is gone, so it stays for a long weekend at most. */
const goneDays = 3

/** Each process has its own index: what is indexed is in the workspaces, which they share. */
export const indexName = (node: string | undefined): string => (node === undefined ? 'index.db' : `index-${node}.db`)

/** At each start, and from then on every hour, in each process, even a drained one. */
export function cleanIndexOften(bot: Services, unusedDays: number): void {
  const clean = async () => {
    await bot.documents.clean()
    await removeFormerIndexes(bot, bot.clock.now() - Math.min(goneDays, unusedDays) * dayMs)
  }
  bot.often('cleaning the document index', clean, cleanEveryMs, { isOwn: true })
}

/** Earlier versions had a job that cleaned the index of whichever process ran it. One may still wait. */
export const formerCleaning: JobKind = { name: 'clean-index', run: async () => undefined }

/** Removes indexes of processes that are gone, unless they were used since then. */
async function removeFormerIndexes({ config, store }: Services, since: number): Promise<void> {
  const { dataDir, node } = config
  const running = (await nodesOf(store.db)).map(({ name }) => indexName(plainNodeName(name)))
  const wanted = new Set([indexName(node), ...running])
  const found = (await readdir(dataDir)).filter((name) => /^index(-.+)?\.db$/.test(name))
  for (const name of found.filter((one) => !wanted.has(one))) {
    const files = ['', '-wal', '-shm'].map((end) => join(dataDir, `${name}${end}`))
    const times = await Promise.all(files.map(changedAt))
    if (Math.max(...times) < since) await Promise.all(files.map((file) => rm(file, { force: true })))
  }
}

const changedAt = async (file: string): Promise<number> => (await stat(file).catch(() => undefined))?.mtimeMs ?? 0
