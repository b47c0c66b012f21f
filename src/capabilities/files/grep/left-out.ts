import { counted, shownPath } from '../../../kit/text/shown.ts'

/** How many files are named of those that only search_file can search. */
const mostNamed = 5

export const aboutDocuments = (paths: string[]): string =>
  `the text of ${counted(paths.length, 'document')} was not searched (${named(paths)}): use search_file`

/** `bytes`: the largest size that is searched here. */
export const aboutLarge = (paths: string[], bytes: number): string =>
  `${counted(paths.length, 'file')} over ${counted(bytes, 'byte')} not searched (${named(paths)}): use search_file with use_regex`

function named(paths: string[]): string {
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : ''
  return `${paths.slice(0, mostNamed).map(shownPath).join(', ')}${more}`
}
