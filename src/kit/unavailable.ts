import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, Unavailable } from './failure.ts'

type Kind = [codes: RegExp, code: string, message: string, remedy: string, passes: boolean]

/** By the codes of the operating system, of SQLite and of the workspace. The first match counts. */
const kinds: Kind[] = [
  [
    /^(ENOSPC|EDQUOT|SQLITE_FULL|SQLITE_IOERR_SHMSIZE|disk_full)$/,
    'disk_full',
    'The disk that holds Bobbin’s data is full.',
    'Make room on it (`bobbin doctor` names the directory)',
    true,
  ],
  [
    /^(EROFS|SQLITE_READONLY.*)$/,
    'read_only',
    'Bobbin’s data can’t be written: the disk or the file is read-only.',
    'Make it writable for the user that runs Bobbin',
    true,
  ],
  [
    /^(EMFILE|ENFILE|busy)$/,
    'too_many_files',
    'Too many files and connections are open at once.',
    'Raise the limit (`ulimit -n`) if this happens often',
    true,
  ],
  [
    /^SQLITE_(CORRUPT.*|NOTADB)$/,
    'database_damaged',
    'Bobbin’s database is damaged.',
    'Stop Bobbin, run `bobbin doctor`, and restore bobbin.db from a backup',
    false,
  ],
  [
    /^SQLITE_CANTOPEN.*$/,
    'cannot_open',
    'Bobbin’s database can’t be opened.',
    'Make the data directory and bobbin.db in it readable and writable for the user that runs Bobbin',
    true,
  ],
  [
    /^(EIO|SQLITE_IOERR.*)$/,
    'disk_failed',
    'The disk that holds Bobbin’s data reports errors.',
    'Check the disk and the permissions of the data directory',
    true,
  ],
  [
    /^SQLITE_(BUSY.*|PROTOCOL)$/,
    'database_busy',
    'Another process is in the middle of a write to the database.',
    'End that process',
    true,
  ],
]

function codeOf(error: Error): string | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  // Code that is loaded late has a package, which Node can't read without a descriptor.
  return code === 'ERR_INVALID_PACKAGE_CONFIG' && error.message.includes('too many open files') ? 'EMFILE' : code
}

/** The Unavailable behind what was thrown, or among its causes, if there is one. */
export function asUnavailable(thrown: unknown): Unavailable | undefined {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if (error instanceof Unavailable) return error
    const code = codeOf(error)
    const [, name, message, remedy, passes] = kinds.find(([codes]) => code !== undefined && codes.test(code)) ?? []
    if (name && message && remedy && passes !== undefined) {
      return new Unavailable(name, message, remedy, { cause: thrown, passes })
    }
    // The cause has been translated already.
    if (error instanceof Failure) return undefined
  }
  return undefined
}

/**
 * The outage behind what was thrown, if it may pass. An EIO may be of one file alone, which can't be read for good.
 */
export function outageBehind(thrown: unknown): Unavailable | undefined {
  const isOfFile = thrown instanceof Error && 'code' in thrown && thrown.code === 'EIO'
  const fault = asUnavailable(thrown)
  return fault?.passes && !isOfFile ? fault : undefined
}

/** For whoever would take a failure for an answer: throws the outage behind it. */
export function throwOutage(thrown: unknown): void {
  const outage = outageBehind(thrown)
  if (outage !== undefined) throw outage
}

interface Patience {
  /** Other work will soon release its descriptors. */
  longestMs?: number
  /** Ends the wait. */
  signal?: AbortSignal
}

/** For work that only opens something: it waits while too many files and connections are open. */
export async function whenDescriptors<T>(
  work: () => Promise<T>,
  { longestMs = 60_000, signal }: Patience = {},
): Promise<T> {
  for (let waited = 0; ; ) {
    try {
      return await work()
    } catch (thrown) {
      const isOver = waited >= longestMs || signal?.aborted
      if (isOver || asUnavailable(thrown)?.code !== 'too_many_files') throw thrown
      const waitMs = 20 + Math.random() * Math.min(500, 20 + waited)
      waited += waitMs
      await sleep(waitMs, undefined, { signal }).catch(() => Promise.reject(thrown))
    }
  }
}
