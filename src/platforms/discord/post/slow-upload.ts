import type { RawFile } from 'discord.js'
import { NotPosted } from '../../platform.ts'
import { isBroken, isTooSlow } from '../api/errors.ts'
import { discordWords } from '../words/words.ts'

/** How often an upload is tried whose connection breaks. */
const tries = 2

/**
 * Sends a message. If it isn't there because its files took too long, or broke off again and again, they are for later:
 * the words aren't.
 */
export async function uploadedInTime<T>(
  files: RawFile[],
  send: () => Promise<T>,
  find: () => Promise<T | undefined>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (thrown) {
      const isSlow = isTooSlow(thrown)
      if (files.length === 0 || !(isSlow || isBroken(thrown))) throw thrown
      const found = await find().catch(() => {
        // So it is open whether it was posted.
        throw thrown
      })
      if (found !== undefined) return found
      if (!isSlow && attempt < tries) continue
      const why = isSlow ? discordWords.uploadTooSlow() : discordWords.uploadBroke()
      throw new NotPosted('repairable', why, { cause: thrown })
    }
  }
}
