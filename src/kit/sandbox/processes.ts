import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'

/** A process of this machine, as /proc shows it. */
export interface ProcessEntry {
  id: number
  parent: number
  threads: number
  residentBytes: number
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
  const number = (field: string): number => {
    const start = status.indexOf(`\n${field}:`)
    return start < 0 ? 0 : Number.parseInt(status.slice(start + field.length + 2), 10)
  }
  return { id, parent: number('PPid'), threads: number('Threads'), residentBytes: number('VmRSS') * 1024 }
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
 * Memory of a process with its share of pages that it has in common with others; nothing if it is gone. Undefined if it
 * may not be read.
 */
export function sharedOutBytes(id: number): number | undefined {
  const rollup = textOf(`/proc/${id}/smaps_rollup`)
  if (rollup === undefined) return startOf(id) === undefined ? 0 : undefined
  const start = rollup.indexOf('\nPss:')
  return start < 0 ? 0 : Number.parseInt(rollup.slice(start + 5), 10) * 1024
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

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (thrown) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((thrown as NodeJS.ErrnoException).code ?? '')) return undefined
    throw thrown
  }
}
