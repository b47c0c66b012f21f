/** Watches for problems: the database, platforms that are not connected, and messages that platforms reject. */
import { getHealth } from './api.js'
import { outagesIn } from './outages.js'
import { outages, refused } from './state.js'

export async function refreshHealth() {
  try {
    const { database, platforms = {} } = await getHealth()
    const next = outagesIn(database ? { database, ...platforms } : platforms)
    if (JSON.stringify(next) !== JSON.stringify(outages.peek())) outages.value = next
  } catch (error) {
    if (error.status === 401) refused.value = error
    // The stream already shows when the bot itself can't be reached.
  }
}
