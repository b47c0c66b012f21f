import { seconds } from './ids.ts'
import type { StoredFile } from './types.ts'
import type { World } from './world.ts'

const types: Record<string, string> = {
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  html: 'text/html',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  json: 'application/json',
  md: 'text/markdown',
  pdf: 'application/pdf',
  png: 'image/png',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  txt: 'text/plain',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
}

/** By the name alone, as it is for a file that somebody uploads. */
const mimetypeOf = (name: string): string =>
  types[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? (name.includes('.') ? 'application/octet-stream' : 'text/plain')

export interface NewFile {
  name: string
  content: Buffer | string
  title?: string
  mimetype?: string
  /** Comes from another workspace: the event says only that files.info has more. */
  checkInfo?: boolean
}

export const makeFile = (world: World, owner: string, given: NewFile): StoredFile =>
  world.keepFile({
    id: world.ids.next('F'),
    name: given.name,
    title: given.title ?? given.name,
    mimetype: given.mimetype ?? mimetypeOf(given.name),
    content: Buffer.from(given.content),
    owner,
    created: seconds(),
    shares: [],
    checkInfo: given.checkInfo ?? false,
    deleted: false,
  })
