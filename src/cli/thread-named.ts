import { Failure } from '../kit/failure.ts'
import { oneLine } from '../kit/text/text.ts'
import { findSession, type Session, sessionsByPrefix } from '../store/sessions.ts'
import type { Db } from '../store/store.ts'
import { cliWords } from './words.ts'

/** What all ids of threads that begin like a typed one begin with: people see them shortened, and without `ses_`. */
const prefixOf = (typed: string): string => `ses_${typed.toLowerCase().replace(/^ses_/, '')}`

/** The thread with this id, or the only one whose id begins like this. Throws `ambiguous_session`. */
export async function threadNamed(db: Db, typed: string): Promise<Session | undefined> {
  const exact = await findSession(db, typed)
  if (exact !== undefined || !/^(?:ses_)?\d[0-9a-z]*$/i.test(typed)) return exact
  return onlyOne(typed, await sessionsByPrefix(db, undefined, prefixOf(typed)))
}

/** The same among these. */
export function onlyThread<T extends { id: string }>(typed: string, threads: readonly T[]): T | undefined {
  return onlyOne(
    typed,
    threads.filter(({ id }) => id.startsWith(prefixOf(typed))),
  )
}

function onlyOne<T extends { id: string }>(typed: string, [one, another]: readonly T[]): T | undefined {
  if (another === undefined) return one
  const fact = cliWords.ambiguousThread({ id: JSON.stringify(oneLine(typed, 80)) })
  throw new Failure('ambiguous_session', fact, '`bobbin sessions` lists them.')
}
