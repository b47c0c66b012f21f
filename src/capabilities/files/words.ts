import { catalogue } from '../../kit/words/catalogue.ts'

/** What people and the model read about the files of a thread: titles of calls, answers to commands, what helps. */
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

  // an image, and a file that is too large
  shownIfNamed: 'To see it, ask a person to name it in a message, such as {example}.',
  tooLargeToEditRemedy: 'Use a command that writes a new file, such as `sed`; search_file finds the places.',

  // an edit over a value that the model isn't shown
  hiddenValueRemedy:
    'Leave the line with that value out of old_string: replace what is above it and what is below it, each by itself.',

  // commands
  summary: 'the files of this thread',
  nothingStored: 'There are no files in this thread yet.',
  noFilesLeft: 'There are no files in this thread. {cleaned}',
  filesTitle: 'The files of this thread:',
  andMore: 'and {count} more',
})
