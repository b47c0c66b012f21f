import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'

/** A process of this machine, as /proc shows it. */
export interface ProcessEntry {
  id: number
  parent: number
  threads: number
  /** Its pages, those that were swapped out, and the tables that map them. */
  residentBytes: number
  tableBytes: number
  /** The thread that knows about memory: the first one may have ended while others go on. */
  thread: number
}

/** All processes that are visible now. Those that end meanwhile are left out. */
export function allProcesses(): Map<number, ProcessEntry> {
  const found = new Map<number, ProcessEntry>()
  for (const name of readdirSync('/proc')) {
    const id = Number(name)
    if (!Number.isInteger(id)) continue
    const status = textOf(`/proc/${name}/status`)
    if (status !== undefined) found.set(id, entryOf(id, status))
  }
  return found
}

function entryOf(id: number, status: string): ProcessEntry {
  const threads = numberOf(status, 'Threads') ?? 0
  const other = threads > 1 && memoryIn(status) === undefined ? runningThreadOf(id) : undefined
  const memory = other ?? { thread: id, ...(memoryIn(status) ?? nothing) }
  return { id, parent: numberOf(status, 'PPid') ?? 0, threads, ...memory }
}

type Memory = Pick<ProcessEntry, 'residentBytes' | 'tableBytes'>
const nothing: Memory = { residentBytes: 0, tableBytes: 0 }

/**
 * A process whose first thread has ended looks like a zombie without memory; its other threads still have all of it.
 */
function runningThreadOf(id: number): (Memory & { thread: number }) | undefined {
  for (const thread of threadsOf(id)) {
    const memory = memoryIn(textOf(`/proc/${thread}/status`) ?? '')
    if (memory !== undefined) return { thread, ...memory }
  }
  return undefined
}

function memoryIn(status: string): Memory | undefined {
  const bytesOf = (field: string): number => (numberOf(status, field) ?? 0) * 1024
  if (numberOf(status, 'VmRSS') === undefined) return undefined
  const tableBytes = bytesOf('VmPTE')
  return { residentBytes: bytesOf('VmRSS') + bytesOf('VmSwap') + tableBytes, tableBytes }
}

function numberOf(status: string, field: string): number | undefined {
  const start = status.indexOf(`\n${field}:`)
  return start < 0 ? undefined : Number.parseInt(status.slice(start + field.length + 2), 10)
}

/** All descendants of a process, without itself. Orphans of a PID namespace fall to its first process. */
export function descendants(first: number, all: Map<number, ProcessEntry>): ProcessEntry[] {
  const children = Map.groupBy(all.values(), ({ parent }) => parent)
  const found: ProcessEntry[] = []
  const seen = new Set([first])
  const open = [first]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const child of children.get(id) ?? []) {
      if (seen.has(child.id)) continue
      seen.add(child.id)
      found.push(child)
      open.push(child.id)
    }
  }
  return found
}

/**
 * Memory of a process with its share of pages that it has in common with others. A process that is ending has given its
 * memory back before it is gone. If the kernel doesn't tell, all pages count.
 */
export function sharedOutBytes({ thread, residentBytes, tableBytes }: ProcessEntry, proc = '/proc'): number {
  const rollup = readOr(`${proc}/${thread}/smaps_rollup`, { gone: '', refused: undefined })
  if (rollup === undefined) return residentBytes
  const pages = numberOf(rollup, 'Pss')
  return pages === undefined ? 0 : (pages + (numberOf(rollup, 'SwapPss') ?? 0)) * 1024 + tableBytes
}

/** Resident memory of one process, in bytes; 0 if it is gone. */
export async function residentBytesOf(id: number): Promise<number> {
  if (process.platform === 'linux') {
    const status = textOf(`/proc/${id}/status`)
    return status === undefined ? 0 : entryOf(id, status).residentBytes
  }
  const { stdout } = await promisify(execFile)('/bin/ps', ['-o', 'rss=', '-p', String(id)], { env: {} }).catch(
    () => gone,
  )
  return Number(stdout) * 1024
}

/** What `ps` says about a process that doesn't exist. */
const gone = { stdout: '0' }

/** Tells a process from a later one with the same number. Undefined if it is gone: a zombie holds nothing any more. */
export function startOf(id: number): string | undefined {
  const stat = textOf(`/proc/${id}/stat`)
  // The program's name is in parentheses and may contain anything, even parentheses.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields === undefined || ['Z', 'X', 'x'].includes(fields[0] ?? '') ? undefined : fields[19]
}

function threadsOf(id: number): number[] {
  try {
    return readdirSync(`/proc/${id}/task`).map(Number)
  } catch (thrown) {
    if (isGone(thrown) || isRefused(thrown)) return []
    throw thrown
  }
}

export const textOf = (path: string): string | undefined => readOr(path, { gone: undefined, refused: undefined })

/** What a file of /proc says, or what to take for it if its process is gone, or isn't ours to look at. */
function readOr<Gone, Refused>(path: string, instead: { gone: Gone; refused: Refused }): string | Gone | Refused {
  try {
    return readFileSync(path, 'utf8')
  } catch (thrown) {
    if (isGone(thrown)) return instead.gone
    if (isRefused(thrown)) return instead.refused
    throw thrown
  }
}

const isGone = (thrown: unknown): boolean => ['ENOENT', 'ESRCH'].includes(codeOf(thrown))
const isRefused = (thrown: unknown): boolean => ['EACCES', 'EPERM'].includes(codeOf(thrown))
const codeOf = (thrown: unknown): string => (thrown as NodeJS.ErrnoException).code ?? ''
