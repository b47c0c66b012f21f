import { systemClock } from '../kit/clock.ts'
import { Failure } from '../kit/failure.ts'
import { hasDatabase } from '../store/place.ts'
import { Store } from '../store/store.ts'
import { cliWords } from './words.ts'

/** For a look at the bot's data: only `migrate` and a start create it, or bring its schema up to date. */
export async function openStore(place: string, mask?: (text: string) => string): Promise<Store> {
  if (!hasDatabase(place)) throw new Failure('no_database', cliWords.noDatabase({ place }), cliWords.noDatabaseRemedy())
  return Store.open(place, systemClock, mask, { migrates: false })
}
