import { placeKey } from '../account.ts'
import { openCard } from '../room.ts'
import type { PlatformEvidence } from './check.ts'

/** Nothing still shows progress or waits. */
export function checkRest({ posted, account, stage, fault }: PlatformEvidence): void {
  for (const { place, seen } of posted) {
    const where = `${seen.id} in ${placeKey(place)}`
    if (seen.working) fault('half made', `${where} is still at work: ${seen.text.slice(0, 200)}`)
    if (openCard(seen) !== undefined) fault('half made', `${where} can still be clicked: ${seen.text.slice(0, 200)}`)
  }
  const places = new Map([...account.told.values()].map(({ place }) => [placeKey(place), place]))
  for (const [key, place] of places) {
    for (const leftover of stage.leftovers(place)) fault('half made', `${key}: ${leftover}`)
  }
}
