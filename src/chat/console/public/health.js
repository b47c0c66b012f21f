/** Which platforms are not connected, and why. */
import { getHealth } from './api.js'
import { outages, refused } from './state.js'

/** @param {Record<string, { ok: boolean, detail: string }>} platforms */
export const outagesIn = (platforms) =>
  Object.entries(platforms)
    .filter(([, { ok }]) => !ok)
    .map(([platform, { detail }]) => ({ platform, detail }))

export async function refreshHealth() {
  try {
    const next = outagesIn((await getHealth()).platforms ?? {})
    if (JSON.stringify(next) !== JSON.stringify(outages.peek())) outages.value = next
  } catch (error) {
    if (error.status === 401) refused.value = error
    // That the bot itself cannot be reached is said where it matters.
  }
}
