import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about documents: what the doctor says of reading and finding them. */
export const documentsWords = catalogue({
  // titles of calls
  searchingAll: 'Searching the files for “{query}”',
  searching: 'Searching {path} for “{query}”',

  // checks

  cantRead: 'No document can be read: {reason}',
  reportAsBug: 'Report this as a bug, and include what doctor prints.',
  insideBubblewrap:
    'Documents and web pages are read inside bubblewrap, with no network and no access to files or other processes.',
  withoutBubblewrap:
    'Documents and web pages are read in a process with limits, but without bubblewrap: a document that exploits a parser could do whatever the bot can.',
  foundByMeaning: 'Documents are found by their meaning too, with the embedding model.',
  foundByWords: 'Documents are found by their words only: vectors can’t be compared on this machine. {reason}',
  whereVectorsWork:
    'sqlite-vec has libraries for Linux (glibc), macOS and Windows on x64, and for Linux and macOS on arm64.',
})
