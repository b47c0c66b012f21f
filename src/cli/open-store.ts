import { systemClock } from '../kit/clock.ts'
import { Store } from '../store/store.ts'

/** For a look at the bot's data: only `migrate` and a start bring its schema up to date. */
export const openStore = (place: string, mask?: (text: string) => string): Promise<Store> =>
  Store.open(place, systemClock, mask, { migrates: false })
