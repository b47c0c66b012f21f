/** What the console says about files and plans. Complete sentences with named values, in ICU's MessageFormat. */
export const files = {
  // file tree
  noMatchingFiles: 'No matching files.',

  // file turns
  showMessage: '{time}\nShow the message',
  noTurnChangedFile: 'No turn has changed a file yet.',

  // files
  downloadFile: 'Download {name}',
  moreFiles: '{count, plural, one {# more file} other {# more files}}',
  filesCount: 'Files ({count})',
  download: 'Download',
  open3: 'Open {path}',

  // panel
  outputs: 'Outputs',
  uploads: 'Uploads',
  otherFiles: 'Other files',
  noFilesYet: 'No files yet.',
  plan: 'Plan',
  dropSomeAnywhereOr: 'No files yet. Drop some anywhere, or ask Bobbin to write one.',
  close: 'Close',

  // pdf view
  pages: 'Pages',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  smaller: 'Smaller',
  larger: 'Larger',
  page: 'Page',
  pageOf: 'Page {number} of {numPages}',
  loadingPages: 'Loading the pages',

  // picture view
  pixels: '{width} × {height} pixels',
  tooLargeShowHere: 'It’s too large to show here. Download it.',
  damagedCantShown: 'It’s damaged and can’t be shown.',

  // preview
  partName:
    '{unit, select, page {Page {number}} sheet {Sheet {number}} slide {Slide {number}} other {Section {number}}}',
  ofCount: 'of {count}',
  changedInTurn: '{change, select, added {Added} changed {Changed} other {Removed}} in the turn of',
  rendered: 'Rendered',
  source: 'Source',
  table: 'Table',
  passwordProtectedDownloadOpen: 'It’s password-protected. Download it to open it.',
  view: 'View',
  previous: 'Previous',
  partDocument: 'Part of the document',
  next: 'Next',
  loadingFile: 'Loading the file',
  containsNoText: 'It contains no text.',
  onlyFirstRowsShown: 'Only the first {count, plural, one {row is} other {# rows are}} shown.',
  fileOnlyBeginningShown: 'The file is {size}. Only its beginning is shown.',
  readAs: 'Read as {encoding}.',
  backList: 'Back to the list',
  content: 'Content',

  // table view
  itsEmpty: 'It’s empty.',
  row: 'Row',

  // text view
  fileEmpty: 'The file is empty.',
  text: 'Text',

  // workspace
  folders: 'Folders',
  byTurn: 'By turn',
  order: 'Order',
  findFile: 'Find a file',
  preview: 'Preview',
  selectFilePreview: 'Select a file to preview it.',
  closeFiles: 'Close the files',
  closeEsc: 'Close (Esc)',

  // pdf
  damagedCantShownAsk: 'It’s damaged and can’t be shown. Ask for the file again.',
  cantShownHereDownload: 'It can’t be shown here. Download it.',

  // workspace
  turnNoLongerThread: 'That turn is no longer in this thread.',

  // turn files
  added: 'Added',
  changed: 'Changed',
  removed: 'Removed',

  // plan
  toDo: 'To do',
  inProgress: 'In progress',
  done: 'Done',
  failed: 'Failed',
  inAnotherWay: 'in another way',
  tookTooLong: 'took too long',
  notRun: 'not run',
  afterSteps: 'after {steps}',
  byAgent: 'by {agent}',
  attempt: 'attempt {number}',
}
