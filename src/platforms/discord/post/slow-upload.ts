import type { RawFile } from 'discord.js'
import { NotPosted } from '../../platform.ts'
import { isTooSlow } from '../api/errors.ts'
import { discordWords } from '../words/words.ts'

/** Sends a message. If it takes too long because of its files and isn't there, they are for later: the words aren't. */
export async function uploadedInTime<T>(
  files: RawFile[],
  send: () => Promise<T>,
  find: () => Promise<T | undefined>,
): Promise<T> {
  try {
    return await send()
  } catch (thrown) {
    if (files.length === 0 || !isTooSlow(thrown)) throw thrown
    const found = await find().catch(() => {
      // So it is open whether it was posted.
      throw thrown
    })
    if (found !== undefined) return found
    throw new NotPosted('repairable', discordWords.uploadTooSlow(), { cause: thrown })
  }
}
