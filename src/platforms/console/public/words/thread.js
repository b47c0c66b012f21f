/** What the console says in a thread: messages, calls, cards, files. Complete sentences with named values, in ICU's MessageFormat. */
export const thread = {
  // actions
  alreadyAnsweredYourAnswer: 'This was already answered by {who} at {time}. Your answer had no effect.',
  bobbinCantReachedYour: 'Bobbin can’t be reached. Your answer wasn’t sent. Try again.',

  // announce
  bobbinAsksApprovalUse: 'Bobbin asks for approval to use {tool_name}.',
  nobodyDecidedTimeDenied: 'Nobody decided in time, so it was denied.',
  bobbinAsksDecision: 'Bobbin asks for a decision: {question}',
  turnStopped: 'The turn was stopped.',
  turnFailed: 'The turn failed: {message}',

  // approval answer
  alsoOthersLike: 'Also others like it',
  anythingClosedSandboxUntil: 'Anything in the closed sandbox, until tomorrow',
  alwaysAllow: 'Always allow',
  approveAlways: 'Approve always',
  back: 'Back',
  where: 'Where',
  howLong: 'How long',
  threadContainsTextFrom:
    'This thread contains text from outside (a page, a file, a command’s output) that may be steering the model. The grant also covers what it makes the model do.',
  denySayWhy: 'Deny and say why',
  whyNot: 'Why not?',
  botReads: 'The bot reads this.',
  doInstead: 'Do this instead',
  optional: 'Optional.',
  deny: 'Deny',
  approveOnce: 'Approve once',
  denySayWhy2: 'Deny and say why…',

  // approval
  timeUp: 'Time is up',
  canNowApproved: 'Can now be approved by',
  canApproved: 'Can be approved by',
  approval: 'Approval',
  mayIUse: 'May I use',
  whatAsked: 'What was asked',
  notAnsweredTurnOver: 'Not answered. The turn is over.',

  // call
  showAll: 'Show all ({count})',
  arguments: 'Arguments',
  result: 'Result',
  output: 'Output',
  open2: 'Open {name}',
  stepsDone: '{done} of {count, plural, one {# step} other {# steps}} done',

  // composer
  completions: 'Completions',
  bobbinWillReadNext: 'Bobbin will read this at its next step',
  replyHereAnswersQuestion: 'A reply here answers the question',
  waitingApprovalAbove: 'Waiting for the approval above',
  message: 'Message',
  messageToolFileCommand: 'Message, @tool, #file, /command…',
  attachFiles: 'Attach files',
  send: 'Send',
  sendEnter: 'Send (Enter)',
  filesSend: 'Files to send',
  stopTurn: 'Stop this turn',
  stopTurnEscEsc: 'Stop this turn (Esc Esc)',

  // context
  showSummary: 'Show the summary',
  context: 'Context',
  aboutTokens: 'About {total} of {budget} tokens ({share} %)',
  tokens: 'Tokens',

  // edit message
  editMessage: 'Edit the message',
  messagesNewText: 'The message’s new text',
  whatSaidAfterMessage: 'What was said after this message will fold. What Bobbin did meanwhile stays done.',
  cancel: 'Cancel',

  // feedback
  thanksYourFeedbackStored: 'Thanks, your feedback is stored.',
  feedback: 'Feedback',
  whatWouldHaveBeen: 'What would have been a better answer? (optional)',
  skip: 'Skip',

  // file tree
  noMatchingFiles: 'No matching files.',

  // file turns
  showMessage: '{time}\nShow the message',
  noTurnChangedFile: 'No turn has changed a file yet.',

  // files
  download: 'Download',
  open3: 'Open {path}',

  // header
  running: 'Running',
  connections: 'Connections',
  archived: 'Archived',
  filesThreadW: 'Files of this thread (w)',
  files: 'Files',
  planFilesContext: 'Plan, files and context',
  planFilesContextF: 'Plan, files and context (f)',
  channelsThreads: 'Channels and threads',

  // item
  resume: 'Resume',
  error: 'Error',
  waitingAnswerBobbinWill: 'Waiting for an answer. Bobbin will read newer messages after that.',
  waitingAnswer: 'Waiting for an answer',
  bobbinThinking: 'Bobbin is thinking',
  bobbin: 'Bobbin',

  // message
  alarm: 'Alarm',
  copyMessage: 'Copy the message',
  editGoFromHere: 'Edit and go on from here',

  // notices
  dismiss: 'Dismiss',
  hideNote: 'Hide this note',
  practiceModel: 'Practice model.',

  // panel
  dropSomeAnywhereOr: 'Drop some anywhere, or ask Bobbin to write one.',
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

  // pending
  bobbinCantReachedTrying: 'Bobbin can’t be reached. Trying again…',
  answerAgain: 'Answer again',
  notSent: 'Not sent. {error}',
  tryAgain: 'Try again',
  discard: 'Discard',

  // picture view
  tooLargeShowHere: 'It’s too large to show here. Download it.',
  damagedCantShown: 'It’s damaged and can’t be shown.',

  // plan editor
  addWords: 'Add words…',
  addWords2: 'Add words to {label}',
  moveUp: 'Move {label} up',
  moveDown: 'Move {label} down',
  addWordsWholePlan: 'Add words to the whole plan',
  somethingAll: 'Something for all of it…',
  runOneOne: 'Run it one by one',
  dontRun: 'Don’t run it',
  runLike: 'Run it like this',

  // preview
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

  // question form
  decline: 'Decline',
  answer: 'Answer',
  oneAnswerMissing: 'One answer is missing',

  // question options
  options: 'Options',
  optionsSeveralMayChosen: 'Options, several may be chosen',
  chooseOne: 'Choose one of {count}…',

  // question
  nobodyAnsweredTime: 'Nobody answered in time',
  chosenDeadline: 'Chosen at the deadline',
  iHaveQuestions: 'I have {count, plural, one {# question} other {# questions}}',

  // subagent
  openThread: 'Open that thread',

  // table view
  itsEmpty: 'It’s empty.',
  row: 'Row',

  // text view
  fileEmpty: 'The file is empty.',
  text: 'Text',

  // thread view
  showEarlierMessages: 'Show earlier messages',
  loadingThread: 'Loading the thread',
  jumpEnd: 'Jump to the end',
  connectionLostReconnecting: 'Connection lost. Reconnecting…',

  // turn foot
  copyAnswer: 'Copy the answer',

  // turn parts
  toolCalls: 'Tool calls',
  thought: 'Thought',
  oneEarlierMessageRead: 'One earlier message was read',

  // welcome
  remindMe10Seconds: 'Remind me in 10 seconds to stretch',
  askMeWhichColour: 'Ask me which colour I like: red, green or blue',
  writeHaikuOutputsHaiku: 'Write a haiku to outputs/haiku.md',
  chooseThread: 'Choose a thread',
  sidebarListsChannelsThreads: 'The sidebar lists this channel’s threads.',
  startThread: 'Start a thread in {project}',
  writeMessageBelowOr:
    'Write a message below, or drop files anywhere. Each thread has its own files, plan and history.',
  examples: 'Examples',

  // workspace
  order: 'Order',
  findFile: 'Find a file',
  preview: 'Preview',
  selectFilePreview: 'Select a file to preview it.',
  closeFiles: 'Close the files',
  closeEsc: 'Close (Esc)',

  // feed
  threadFilesDeleted2: 'This thread and its files were deleted.',

  // pdf
  damagedCantShownAsk: 'It’s damaged and can’t be shown. Ask for the file again.',
  cantShownHereDownload: 'It can’t be shown here. Download it.',

  // diagram
  textDiagram: 'Text of the diagram',

  // footnotes
  backFootnoteText: 'Back to footnote {place} in the text',

  // workspace
  turnNoLongerThread: 'That turn is no longer in this thread.',
}
