import { readFileSync } from 'node:fs'
import { allProcesses, descendants } from '../../src/kit/sandbox/processes.ts'
import { type Benches, never, print, queryOf, settings } from '../search/open.ts'
import { first, last } from './made.ts'

/** How often memory is looked at, ms. */
const lookMs = 50

export interface LargeFile {
  name: string
  bytes: Uint8Array
  /** What the time is compared with: the least that any reading of it takes. */
  baseline: { name: string; run(bytes: Uint8Array): Promise<unknown> }
}

/** The time to the first hit and to the whole, and the most memory of the process that reads it. */
export async function measureLarge(benches: Benches, { name, bytes, baseline }: LargeFile): Promise<void> {
  const { workspace, documents, library } = await benches.open(name.replace('.', '-'), {
    patienceMs: settings.searchWaitMs,
  })
  const path = `uploads/${name}`
  await workspace.write(path, bytes)
  const base = await timed(() => baseline.run(bytes))
  const memory = watchedMemory()
  const began = performance.now()
  // As an upload is.
  const indexing = documents.prepare(path, never)
  const found = async (word: string, options = {}) => {
    const { matches } = await documents.search([path], { ...queryOf(word), ...options }, never)
    return matches.length > 0
  }
  if (!(await found(first))) print(`! ${name}: its beginning wasn’t found`)
  const firstMs = performance.now() - began
  await indexing
  const wholeMs = performance.now() - began
  const most = memory.end()
  const againMs = await timed(async () => {
    if (!(await found(last))) print(`! ${name}: its end wasn’t found`)
  })
  const times = (ms: number) => `${(ms / 1000).toFixed(1)} s (${(ms / base).toFixed(1)})`
  print(
    [
      `${name}, ${(bytes.length / 1e6).toFixed(1)} MB: first hit after ${times(firstMs)}, whole after ${times(wholeMs)}`,
      `another search ${againMs.toFixed(0)} ms; ${most.toFixed(0)} MB in the process that reads it`,
      `(times of ${baseline.name}, ${(base / 1000).toFixed(1)} s)`,
    ].join('; '),
  )
  library.close()
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** The most resident memory of any process that is started below this one from now on, in MB. */
function watchedMemory(): { end(): number } {
  const before = new Set(descendants(process.pid, allProcesses()).map(({ id }) => id))
  let most = 0
  const look = () => {
    for (const { id } of descendants(process.pid, allProcesses())) {
      if (before.has(id)) continue
      try {
        const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? []
        most = Math.max(most, Number(kilobytes ?? 0) / 1024)
      } catch {
        // It has just ended.
      }
    }
  }
  const timer = setInterval(look, lookMs)
  return {
    end() {
      look()
      clearInterval(timer)
      return most
    },
  }
}
