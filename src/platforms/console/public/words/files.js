/** What the console says about files and plans. Complete sentences with named values, in ICU's MessageFormat. */
export const files = {
  // file tree
  nothingMatches: 'No matching files.',

  // file turns
  turnsCut: 'Earlier turns are not listed.',
  showMessage: '{time}\nShow the message',
  nothingChanged: 'No turn has changed a file yet.',

  // files
  changedSince: 'changed since: {name}, {time}',
  downloadFile: 'Download {name}',
  moreFiles: '{count, plural, one {# more file} other {# more files}}',
  filesCount: 'Files ({count})',
  download: 'Download',
  openPath: 'Open {path}',

  // files note
  filesEmpty: 'No files yet.',
  filesEmptyHint: 'No files yet. Drop some anywhere, or ask Bobbin to write one.',
  filesCut: 'Only {count, number} files are listed. The zip export has all of them.',

  // panel
  outputs: 'Outputs',
  uploads: 'Uploads',
  otherFiles: 'Other files',
  plan: 'Plan',
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
  pictureTooLarge: 'It’s too large to show here. Download it.',
  imageDamaged: 'It’s damaged and can’t be shown.',

  // preview
  partName:
    '{unit, select, page {Page {number}} sheet {Sheet {number}} slide {Slide {number}} other {Section {number}}}',
  ofCount: 'of {count}',
  changeOfTurn: '{change, select, added {Added} changed {Changed} other {Removed}} in the turn of',
  rendered: 'Rendered',
  source: 'Source',
  table: 'Table',
  passwordNeeded: 'It’s password-protected. Download it to open it.',
  view: 'View',
  previous: 'Previous',
  documentPart: 'Part of the document',
  next: 'Next',
  loadingFile: 'Loading the file',
  textless: 'It contains no text.',
  rowsCut: 'Only the first {count, plural, one {row is} other {# rows are}} shown.',
  textCut: 'The file is {size}. Only its beginning is shown.',
  readAs: 'Read as {encoding}.',
  closeFile: 'Back to the list',
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
  nothingSelected: 'Select a file to preview it.',
  closeFiles: 'Close the files',
  closeEsc: 'Close (Esc)',

  // pdf
  pdfDamaged: 'It’s damaged and can’t be shown. Ask for the file again.',
  pdfNotShown: 'It can’t be shown here. Download it.',

  // workspace
  turnGone: 'That turn is no longer in this thread.',

  // turn files
  added: 'Added',
  changed: 'Changed',
  removed: 'Removed',

  // plan
  toDo: 'To do',
  inProgress: 'In progress',
  done: 'Done',
  failed: 'Failed',
  endedByFallback: 'in another way',
  endedByTimeout: 'took too long',
  notRun: 'not run',
  afterSteps: 'after {steps}',
  byAgent: 'by {agent}',
  attempt: 'attempt {number}',
}
