import { Failure } from '../../kit/failure.ts'

/** Another process held the write lock for longer than we wait. */
export const isBusy = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && /^SQLITE_(BUSY.*|PROTOCOL)$/.test(String(thrown.code))

export const databaseBusy = (cause: unknown): Failure =>
  new Failure(
    'database_busy',
    'Another process is in the middle of a write to the database.',
    'Stop that process (a Bobbin that hangs or is frozen, or a tool that has the file open). Nothing will be lost.',
    { cause },
  )
