import type { Failure } from '../../kit/failure.ts'
import type { NotPosted, OutgoingFile } from '../platform.ts'
import { chatWords } from './words.ts'

/** What a thread shows in place of files that the platform refuses. */
export function refusedFiles(files: OutgoingFile[], { again, message, remedy }: NotPosted): string {
  const names = files.map(({ name }) => name).join(', ')
  const said = { names, reason: message, count: files.length }
  if (again !== 'repairable') return chatWords.filesRefused(said)
  return remedy === undefined ? chatWords.filesLater(said) : chatWords.filesLaterRemedy({ ...said, remedy })
}

/** The same for a file that can't be read. */
export function unreadFile({ name }: OutgoingFile, { code, message }: Failure): string {
  const said = { name, reason: message.replace(/\.$/, '') }
  return code === 'not_found' ? chatWords.fileGone(said) : chatWords.fileUnread(said)
}
