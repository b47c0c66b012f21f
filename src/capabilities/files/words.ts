import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about the files of a thread: titles of calls and answers to commands. */
export const filesWords = catalogue({
  // titles of calls
  lookingFor: 'Looking for files: {pattern}',
  listingAll: 'Listing the files',
  listing: 'Listing {path}',
  searchingAll: 'Searching the files for “{pattern}”',
  searching: 'Searching {path} for “{pattern}”',
  reading: 'Reading {path}',
  editing: 'Editing {path}',
  writing: 'Writing {path}',

  // commands
  summary: 'the files of this thread',
  nothingStored: 'There are no files in this thread yet.',
  noFilesLeft: 'There are no files in this thread. {cleaned}',
  filesTitle: 'The files of this thread:',
  andMore: 'and {count} more',
})
