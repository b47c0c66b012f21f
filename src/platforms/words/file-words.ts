import type { Failure } from '../../kit/failure.ts'
import type { NotPosted, OutgoingFile } from '../platform.ts'

/** Where to find a file that couldn't be posted. */
export const inConsole = "It's in the thread's files in Bobbin's console."

/** What a thread shows in place of files that the platform refuses. */
export function refusedFiles(files: OutgoingFile[], { again, message, remedy }: NotPosted): string {
  const names = files.map(({ name }) => name).join(', ')
  const where = files.length === 1 ? inConsole : "They're in the thread's files in Bobbin's console."
  const later = `${remedy === undefined ? '' : `${remedy}. `}I'll post ${files.length === 1 ? 'it' : 'them'} here when I can.`
  return `${names} couldn't be posted: ${message}. ${again === 'repairable' ? `${later} ` : ''}${where}`
}

/** The same for a file that can't be read. */
export const unreadFile = ({ name }: OutgoingFile, { code, message }: Failure): string =>
  `${name} couldn't be posted: ${message.replace(/\.$/, '')}.${code === 'not_found' ? '' : ` ${inConsole}`}`
