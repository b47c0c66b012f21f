/** What does not work: the database, and platforms that are not connected. */
import { getHealth } from './api.js'
import { outages, refused } from './state.js'

/** @param {Record<string, { ok: boolean, detail: string }>} platforms */
export const outagesIn = (platforms) =>
  Object.entries(platforms)
    .filter(([, { ok }]) => !ok)
    .map(([platform, { detail }]) => ({ platform, detail }))

export async function refreshHealth() {
  try {
    const { database, platforms = {} } = await getHealth()
    const next = outagesIn(database ? { database, ...platforms } : platforms)
    if (JSON.stringify(next) !== JSON.stringify(outages.peek())) outages.value = next
  } catch (error) {
    if (error.status === 401) refused.value = error
    // That the bot itself cannot be reached is said where it matters.
  }
}
