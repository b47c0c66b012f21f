import { Failure } from '../kit/failure.ts'

/** Another process has held the write lock for as long as we were willing to wait. */
export const isBusy = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && /^SQLITE_(BUSY.*|PROTOCOL)$/.test(String(thrown.code))

export const databaseBusy = (cause: unknown): Failure =>
  new Failure(
    'database_busy',
    'Another process holds the database in the middle of a write.',
    'End that process (a Bobbin that hangs or is frozen, or a tool that looks at the file); nothing is lost by it.',
    { cause },
  )
