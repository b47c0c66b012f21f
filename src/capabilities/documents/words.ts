import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about documents: what the doctor says of reading and finding them. */
export const documentsWords = catalogue({
  // titles of calls
  searchingAll: 'Searching the files for “{query}”',
  searching: 'Searching {path} for “{query}”',

  // checks

  cantRead: 'No document can be read: {reason}',
  readerBrokenRemedy: 'Report this as a bug, and include what doctor prints.',
  insideBubblewrap:
    'Documents and web pages are read inside bubblewrap, with no network and no access to files or other processes.',
  withoutBubblewrap:
    'Documents and web pages are read in a process with limits, but without bubblewrap: a document that exploits a parser could do whatever the bot can.',
  vectorsWork: 'Documents are found by their meaning too, with the embedding model.',
  vectorsMissing: 'Documents are found by their words only: vectors can’t be compared on this machine. {reason}',
  whereVectorsWork:
    'sqlite-vec has libraries for Linux (glibc), macOS and Windows on x64, and for Linux and macOS on arm64.',

  // why nothing is found by its meaning
  embeddingSilent: 'The embedding model doesn’t answer.',

  // why a file can't be read
  notThere: 'It is not there.',
  notThereRemedy: 'Look for it with list_files.',
  isAFolder: 'It is not a file.',
  isAFolderRemedy: 'Name a file in it.',
  tooLarge: 'It has {has} MB; {most} MB can be read.',
  tooLargeRemedy: 'Ask for a smaller part of it.',
  beingChanged: 'It’s being changed right now.',
  beingChangedRemedy: 'Try again in a moment.',
  replaced: 'It has been replaced meanwhile.',
  replacedRemedy: 'Read it again.',
  unreadable: 'It couldn’t be read: {reason}',
  indexFailed: 'The document index can’t be used right now.',
  indexFailedRemedy: 'Try again. If it keeps failing, the operator should check the disk: it may be full.',
})
