import type { RemoteFile } from '../../domain/chat.ts'
import { plainName } from '../../kit/text/text.ts'
import { turnWords } from '../port/words.ts'

/** Nobody has asked for these files, and the answer waits until they are here. */
const mostFiles = 20

/** The part of a workspace's space that they may take. */
const mostOfSpace = 0.25

/**
 * Which files of what was said before the mention are fetched: the newest that fit. The newest of all is fetched even
 * if it is large. `files`: oldest first.
 */
export function filesToFetch(files: RemoteFile[], space: number): Set<RemoteFile> {
  const chosen = new Set<RemoteFile>()
  let left = space * mostOfSpace
  for (const file of files.toReversed()) {
    if (chosen.size > 0 && file.size > left) continue
    if (chosen.size === mostFiles) break
    chosen.add(file)
    left -= file.size
  }
  return chosen
}

/** Tells the model which ones weren't. */
export function withUnfetched(text: string, files: RemoteFile[]): string {
  if (files.length === 0) return text
  const names = files.map(({ name }) => plainName(name)).join(', ')
  return [text, `(${turnWords.earlierNotSaved({ names })})`].filter((part) => part !== '').join('\n\n')
}
