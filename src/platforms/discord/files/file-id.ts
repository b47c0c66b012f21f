/** How to find a Discord file again. Its link expires after a day; then the message is asked for a new one. */
export interface FileId {
  url: string
  attachment: string
  /** MIME type, as Discord reports it. */
  type: string | undefined
  size: number
  /** Where the message with the file is; files of forms have none. */
  channel: string | undefined
  message: string | undefined
}

export const writeFileId = (id: FileId): string => JSON.stringify(id)

/** Throws if it isn't one of ours. */
export function readFileId(text: string): FileId {
  const id: unknown = JSON.parse(text)
  if (typeof id !== 'object' || id === null || !('url' in id) || typeof id.url !== 'string') {
    throw new TypeError('not a file of Discord')
  }
  return id as FileId
}
