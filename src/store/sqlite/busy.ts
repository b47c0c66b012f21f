import { Failure } from '../../kit/failure.ts'
import { storeWords } from '../words.ts'

/** Another process held the write lock for longer than we wait. */
export const isBusy = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && /^SQLITE_(BUSY.*|PROTOCOL)$/.test(String(thrown.code))

export const databaseBusy = (cause: unknown): Failure =>
  new Failure('database_busy', storeWords.databaseBusy(), storeWords.databaseBusyRemedy(), { cause })
