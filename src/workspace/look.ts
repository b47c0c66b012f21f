import type { Workspace } from '../domain/workspace.ts'
import { noticeOn } from '../kit/files/disguise.ts'
import type { FileBytes } from '../kit/files/file-bytes.ts'
import { insideOf } from '../kit/files/inside.ts'
import { headBytes, typeFrom } from '../kit/files/type.ts'

export interface Look {
  /** MIME type by content. */
  type: string
  /** Bytes. */
  size: number
  /** A warning to show before it is opened. Completes a sentence; see disguise.ts. */
  notice?: string
}

/**
 * What a file in a workspace is; `name` is what its sender called it. Reads its beginning and, for a container, its
 * list of files.
 */
export async function lookAt(workspace: Workspace, path: string, name: string): Promise<Look> {
  const size = (await workspace.stat(path))?.size ?? 0
  const file: FileBytes = { size, range: (offset, length) => workspace.readRange(path, offset, length) }
  const head = await file.range(0, headBytes)
  const inside = await insideOf(head, file)
  const type = await typeFrom(path, head, inside)
  const notice = noticeOn({ name, type, head, inside })
  return { type, size, ...(notice !== undefined && { notice }) }
}
