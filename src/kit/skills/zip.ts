import { type Entry, fromBufferPromise } from 'yauzl'
import { Failure, reasonOf } from '../failure.ts'
import { Collected, main, type SkillFiles, type SkillLimits, safePath, unsafe } from './contents.ts'

/**
 * The files of a zip archive, unpacked in memory. SKILL.md stands at its top, or in its only folder. Throws
 * `unsafe_skill` for links, paths that lead out of it, and whatever is too large.
 */
export async function filesInZip(bytes: Uint8Array, limits: SkillLimits): Promise<SkillFiles> {
  const collected = new Collected(limits)
  try {
    const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      // Names are checked below, with better words.
      decodeStrings: true,
      strictFileNames: true,
      validateEntrySizes: true,
    })
    if (zip.entryCount > limits.files * 4) throw unsafe(`it has more than ${limits.files} files`)
    for await (const entry of zip.eachEntry()) {
      const path = safePath(entry.fileName.replace(/\/$/, ''))
      if (path === undefined || entry.fileName.endsWith('/')) continue
      if (isSpecial(entry)) throw unsafe(`${JSON.stringify(path)} is a link, not a file`)
      if (entry.isEncrypted()) throw unsafe(`${JSON.stringify(path)} is encrypted`)
      const pieces: Buffer[] = []
      for await (const piece of await zip.openReadStreamPromise(entry)) {
        collected.count(piece.length)
        pieces.push(piece)
      }
      collected.add(path, Buffer.concat(pieces))
    }
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown
    const reason = reasonOf(thrown)
    if (/relative path|absolute path|invalid characters in fileName/.test(reason))
      throw unsafe(`it has a file that leads out of its folder (${reason})`)
    throw new Failure('no_skill', `This isn’t a complete zip archive (${reason}).`, 'Send it again.')
  }
  return withoutFolder(collected.files)
}

/** Anything that Unix wouldn't take for a plain file. */
const isSpecial = ({ externalFileAttributes, versionMadeBy }: Entry): boolean => {
  const mode = (externalFileAttributes >>> 16) & 0o170000
  return versionMadeBy >>> 8 !== 0 && mode !== 0 && mode !== 0o100000
}

/** Archives usually contain the skill's folder; the name of that folder doesn't matter then. */
function withoutFolder(files: Map<string, Uint8Array>): SkillFiles {
  if ([...files.keys()].some((path) => main.test(path))) return files
  const tops = new Set([...files.keys()].map((path) => path.split('/', 1)[0] ?? ''))
  const [top] = tops
  if (tops.size !== 1 || top === undefined) return files
  return new Map([...files].map(([path, bytes]) => [path.slice(top.length + 1) || path, bytes]))
}
