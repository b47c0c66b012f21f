import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '../domain/json.ts'

export const metadataName = '.metadata.json'

/**
 * Writes what is known about a session into its workspace, once, for people who look at the disk. A new file or none: a
 * link in its place is not followed.
 */
export async function writeMetadata(root: string, metadata: JsonObject): Promise<void> {
  try {
    await writeFile(join(root, metadataName), `${JSON.stringify(metadata, undefined, 2)}\n`, { flag: 'wx' })
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown
  }
}
