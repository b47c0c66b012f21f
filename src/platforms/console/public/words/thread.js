/** What the console says in a thread: messages, calls, cards, files. Complete sentences with named values, in ICU's MessageFormat. */
export const thread = {
  // actions
  alreadyAnsweredYourAnswer: 'This was already answered by {who} at {time}. Your answer had no effect.',
  bobbinCantReachedYour: 'Bobbin can’t be reached. Your answer wasn’t sent. Try again.',

  // announce
  alarmSays: 'Alarm: {text}',
  personSays: '{name}: {text}',
  votedFor: '{name} approved: {votes} of {needed}.',
  nowAsking: 'Now asking: {who}.',
  personDecided: '{name} {decision, select, approve {approved} other {denied}} it.',
  revokedGrantFor: '{name} revoked a grant for {tool}.',
  bobbinAsks: 'Bobbin asks: {question}',
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
  callRunning: 'running',
  callDone: 'done',
  callIsFailed: 'failed',
  callDenied: 'denied',
  outcomeUnknown: 'outcome unknown',
  notFinished: 'not finished',
  showAll: 'Show all ({count})',
  arguments: 'Arguments',
  result: 'Result',
  output: 'Output',
  open2: 'Open {name}',
  stepsDone: '{done} of {count, plural, one {# step} other {# steps}} done',

  // composer
  sending: 'Sending…',
  removeFile: 'Remove {name}',
  fileTooLarge: '{name} is too large: {size}. A file can have at most {most}.',
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
  people: 'People',
  answers: 'Answers',
  results: 'Results',
  sentAsSummary: 'The model gets a summary of the messages before number {number}. The history here stays whole.',
  leftOut: 'The model doesn’t get the messages before number {number}. The history here stays whole.',
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
  goodAnswer: 'Good answer',
  badAnswer: 'Bad answer',
  ratedAnswer: '{name} rated an answer {value, select, good {good} other {bad}}.',
  thanksYourFeedbackStored: 'Thanks, your feedback is stored.',
  feedback: 'Feedback',
  whatWouldHaveBeen: 'What would have been a better answer? (optional)',
  skip: 'Skip',

  // header
  waitingForYou: 'Waiting for you',
  waitingForYouCount: 'Waiting for you ({count})',
  platformNotConnected: '{platform} isn’t connected.',
  messagesWait: '{count, plural, one {# message is} other {# messages are}} waiting to be posted on {platform}.',
  untitled: 'Untitled',
  running: 'Running',
  connections: 'Connections',
  archived: 'Archived',
  filesThreadW: 'Files of this thread (w)',
  files: 'Files',
  planFilesContext: 'Plan, files and context',
  planFilesContextF: 'Plan, files and context (f)',
  channelsThreads: 'Channels and threads',

  // item
  stopped: 'Stopped',
  stoppedBy: 'Stopped by {name}',
  clearedHistory: '{name} cleared the history above',
  resume: 'Resume',
  error: 'Error',
  waitingAnswerBobbinWill: 'Waiting for an answer. Bobbin will read newer messages after that.',
  waitingAnswer: 'Waiting for an answer',
  bobbinThinking: 'Bobbin is thinking',
  bobbin: 'Bobbin',

  // message
  deleted: 'deleted',
  edited: 'edited',
  theTask: 'The task',
  someone: 'Someone',
  alarm: 'Alarm',
  copyMessage: 'Copy the message',
  editGoFromHere: 'Edit and go on from here',

  // notices
  practiceAnswers: 'It follows fixed rules and needs no account. To use a real model, set:',
  dismiss: 'Dismiss',
  hideNote: 'Hide this note',
  practiceModel: 'Practice model.',

  // pending
  bobbinCantReachedTrying: 'Bobbin can’t be reached. Trying again…',
  answerAgain: 'Answer again',
  notSent: 'Not sent. {error}',
  tryAgain: 'Try again',
  discard: 'Discard',

  // plan editor
  addWords: 'Add a note…',
  addWords2: 'Add a note to {label}',
  moveUp: 'Move {label} up',
  moveDown: 'Move {label} down',
  addWordsWholePlan: 'Add a note to the whole plan',
  somethingAll: 'A note on the whole plan…',
  runOneOne: 'Run one step at a time',
  dontRun: 'Don’t run it',
  runLike: 'Run it with these changes',

  // question form
  decline: 'Decline',
  answer: 'Answer',

  // question options
  options: 'Options',
  optionsSeveralMayChosen: 'Options, several may be chosen',
  chooseOne: 'Choose one of {count}…',

  // question
  nobodyAnsweredTime: 'Nobody answered in time',
  chosenDeadline: 'Chosen at the deadline',
  iHaveQuestions: 'I have {count, plural, one {# question} other {# questions}}',

  // subagent
  worksForAnother: '{name} works for another thread. Answer its questions there, and stop it there.',
  openThread: 'Open that thread',

  // thread view
  loadingMore: 'Loading…',
  newMessages: 'New messages',
  showEarlierMessages: 'Show earlier messages',
  loadingThread: 'Loading the thread',
  jumpEnd: 'Jump to the end',
  connectionLostReconnecting: 'Connection lost. Reconnecting…',

  // turn foot
  copied: 'Copied',
  couldNotCopy: 'Couldn’t copy',
  copy: 'Copy',
  tokensReadWritten: '{read, number} tokens read, {written, number} written',
  copyAnswer: 'Copy the answer',

  // turn parts
  olderMessages:
    'Older messages were {strategy, select, cut {left out} other {summarised}}: {before, number} tokens became {after, number}',
  earlierCalls: '{count, plural, one {# earlier call} other {# earlier calls}}',
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

  // feed
  threadFilesDeleted2: 'This thread and its files were deleted.',

  // diagram
  textDiagram: 'Text of the diagram',

  // footnotes
  backFootnoteText: 'Back to footnote {place} in the text',

  // undone
  earlierVersion: 'Earlier version: {count, plural, one {# message} other {# messages}}, replaced by {name}',

  // rich answers
  codeIn: 'Code, {language}',
  footnote: 'Footnote {number}',
  diagram: 'Diagram',
  diagrams: 'Diagrams',
  drawing: 'Drawing…',
  diagramWithText: 'Diagram ({type}). Its text is below.',
  diagramProblem: 'This diagram can’t be drawn: {reason}',
  diagramNotLoaded: 'the part of the page that draws didn’t load.',
  diagramSlow: 'it takes too long.',
  diagramLong: 'it’s too long.',
}
