import type { JsonObject } from '../domain/json.ts'
import { about } from './failures.ts'
import { replaceFile } from './file.ts'
import { hasDescriptorPaths, openRoot } from './folder.ts'

export const metadataName = '.metadata.json'

/** Writes what is known about a session into its workspace, for people who look at the disk. */
export const writeMetadata = (root: string, metadata: JsonObject): Promise<void> =>
  about(metadataName, async () => {
    await using folder = await openRoot(root, hasDescriptorPaths())
    await replaceFile(folder, metadataName, metadataName, `${JSON.stringify(metadata, undefined, 2)}\n`, false)
  })
