/**
 * What the console says in a thread: messages, calls, cards, files. Complete sentences with named values, in ICU's
 * MessageFormat.
 */
export const thread = {
  // actions
  answeredFirstBy: 'This was already answered by {who} ({time}). Your answer had no effect.',
  answerMayBeLost: 'Bobbin can’t be reached. Your answer may not have arrived. Try again.',

  // announce
  alarmSays: 'Alarm: {text}',
  personSays: '{name}: {text}',
  votedFor: '{name} approved: {votes} of {needed}.',
  nowAsking: 'Now asking: {who}.',
  personDecided: '{name} {decision, select, approve {approved} other {denied}} it.',
  grantRevoked: '{name} revoked a grant for {tool}.',
  questionAsked: 'Bobbin asks: {question}',
  approvalAsked: 'Bobbin asks for approval to use {tool_name}.',
  deniedAtDeadline: 'Nobody decided in time, so it was denied.',
  decisionAsked: 'Bobbin asks for a decision: {question}',
  turnStopped: 'The turn was stopped.',
  turnFailed: 'The turn failed: {message}',

  // approval answer
  alwaysSimilar: 'Also others like it',
  alwaysClosedToday: 'Anything in the closed sandbox, until tomorrow',
  alwaysAllow: 'Always allow',
  approveAlways: 'Approve always',
  back: 'Back',
  where: 'Where',
  howLong: 'How long',
  untrustedCaution:
    'This thread contains text from outside (a page, a file, a command’s output), or this call brings it in. It may steer the model. The grant also covers what it makes the model do.',
  denyForm: 'Deny and say why',
  whyNot: 'Why not?',
  botReads: 'The bot reads this.',
  doInstead: 'Do this instead',
  optional: 'Optional.',
  deny: 'Deny',
  approveOnce: 'Approve once',
  denyFormButton: 'Deny and say why…',

  // approval
  timeUp: 'Time is up',
  newDeciders: 'Can now be approved by',
  deciders: 'Can be approved by',
  approval: 'Approval',
  approvalHead: 'May I use',
  requestDetails: 'What was asked',
  approvalOver: 'Not answered. The turn is over.',
  unsentWords: 'What you wrote wasn’t sent:',

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
  openChild: 'Open {name}',
  stepsDone: '{done} of {count, plural, one {# step} other {# steps}} done',

  // card focus
  answerFailed: 'About your answer to “{subject}”: {error}',

  // composer
  sending: 'Sending…',
  removeFile: 'Remove {name}',
  fileTooLarge: '{name} is too large: {size}. A file can have at most {most}.',
  completions: 'Completions',
  composerRunning: 'Bobbin will read this at its next step',
  composerQuestion: 'A reply here answers the question',
  composerApproval: 'Waiting for the approval above',
  message: 'Message',
  composerHint: 'Message, @tool, #file, /command…',
  attachFiles: 'Attach files',
  send: 'Send',
  sendEnter: 'Send (Enter)',
  attachedFiles: 'Files to send',
  stopTurn: 'Stop this turn',
  stopHint: 'Stop this turn (Esc Esc)',

  // context
  people: 'People',
  answers: 'Answers',
  results: 'Results',
  sentAsSummary: 'The model gets a summary of the messages before number {number}. The history here stays whole.',
  leftOut: 'The model doesn’t get the messages before number {number}. The history here stays whole.',
  showSummary: 'Show the summary',
  showPrompt: 'Show the instructions and tools',
  toldLater: 'Sent with message number {number}',
  offeredTools: 'Tools ({count})',
  context: 'Context',
  aboutTokens: 'About {total} of {budget} tokens ({share} %)',
  tokens: 'Tokens',

  // edit message
  editMessage: 'Edit the message',
  editedText: 'The message’s new text',
  editHint: 'What was said after this message will fold. What Bobbin did meanwhile stays done.',
  cancel: 'Cancel',

  // answer again
  answerAgain: 'Answer again',
  foldsMessages:
    '{count, plural, one {# message} other {# messages}} written since, from {names}, will fold. Bobbin won’t be sent {count, plural, one {it} other {them}}.',

  // feedback
  goodAnswer: 'Good answer',
  badAnswer: 'Bad answer',
  ratedAnswer: '{name} rated an answer {value, select, good {good} other {bad}}.',
  feedbackStored: 'Thanks, your feedback is stored.',
  feedback: 'Feedback',
  betterAnswerQuestion: 'What would have been a better answer? (optional)',
  skip: 'Skip',

  // header
  waitsForOne: 'Waiting for you',
  waitsForSeveral: 'Waiting for you ({count})',
  platformNotConnected: '{platform} isn’t connected.',
  messagesWait: '{count, plural, one {# message is} other {# messages are}} waiting to be posted on {platform}.',
  untitled: 'Untitled',
  running: 'Running',
  connections: 'Connections',
  archived: 'Archived',
  filesHint: 'Files of this thread (w)',
  files: 'Files',
  panel: 'Plan, files and context',
  panelHint: 'Plan, files and context (f)',
  channelsThreads: 'Channels and threads',

  // item
  stopped: 'Stopped',
  stoppedBy: 'Stopped by {name}',
  clearedHistory: '{name} cleared the history above',
  resume: 'Resume',
  error: 'Error',
  waitingWithQueued: 'Waiting for an answer. Bobbin will read newer messages after that.',
  answerAwaited: 'Waiting for an answer',
  bobbinThinking: 'Bobbin is thinking',
  bobbin: 'Bobbin',

  // message
  deleted: 'deleted',
  edited: 'edited',
  theTask: 'The task',
  someone: 'Someone',
  alarm: 'Alarm',
  copyMessage: 'Copy the message',
  editMessageHint: 'Edit and go on from here',

  // notices
  practiceAnswers: 'It follows fixed rules and needs no account. To use a real model, set:',
  dismiss: 'Dismiss',
  hideNote: 'Hide this note',
  practiceModel: 'Practice model.',

  // pending
  sendingAgain: 'Bobbin can’t be reached. Trying again…',
  notSent: 'Not sent. {error}',
  notSentElsewhere: 'Your message in another thread wasn’t sent: “{text}”. {error}',
  goneWhenSent: 'Its thread was deleted.',
  overtakenByStop: 'You wrote “stop” after it.',
  pageClosed: 'The page was closed before it was sent.',
  attachAgain: 'To send its files, attach them again: {names}.',
  fileUnreadable: '{name} can no longer be read. It may have been changed, moved or deleted.',
  tryAgain: 'Try again',
  discard: 'Discard',

  // plan editor
  noteHint: 'Add a note…',
  noteOnStep: 'Add a note to {label}',
  moveUp: 'Move {label} up',
  moveDown: 'Move {label} down',
  noteOnPlan: 'Add a note to the whole plan',
  noteOnPlanHint: 'A note on the whole plan…',
  runStepwise: 'Run one step at a time',
  dontRun: 'Don’t run it',
  runChanged: 'Run it with these changes',

  // question form
  decline: 'Decline',
  answer: 'Answer',

  // question options
  options: 'Options',
  severalOptions: 'Options, several may be chosen',
  chooseOne: 'Choose one of {count}…',

  // question
  unansweredInTime: 'Nobody answered in time',
  chosenByDeadline: 'Chosen at the deadline',
  questionsHead: 'I have {count, plural, one {# question} other {# questions}}',

  // subagent
  subagentNote: '{name} works for another thread. Answer its questions there, and stop it there.',
  openThread: 'Open that thread',

  // thread view
  loadingMore: 'Loading…',
  newMessages: 'New messages',
  loadEarlier: 'Show earlier messages',
  loadingThread: 'Loading the thread',
  scrollToEnd: 'Jump to the end',
  reconnecting: 'Connection lost. Reconnecting…',

  // turn foot
  copied: 'Copied',
  couldNotCopy: 'Couldn’t copy',
  copy: 'Copy',
  turnTokens: '{read, number} tokens read, {written, number} written',
  copyAnswer: 'Copy the answer',

  // turn parts
  olderMessages:
    'Older messages were {strategy, select, cut {left out} other {summarised}}: {before, number} tokens became {after, number}',
  earlierCalls: '{count, plural, one {# earlier call} other {# earlier calls}}',
  toolCalls: 'Tool calls',
  thought: 'Thought',
  importedOne: 'One earlier message was read',

  // welcome
  exampleAlarm: 'Remind me in 10 seconds to stretch',
  exampleQuestion: 'Ask me which colour I like: red, green or blue',
  exampleFile: 'Write a haiku to outputs/haiku.md',
  chooseThread: 'Choose a thread',
  chooseThreadHint: 'The sidebar lists this channel’s threads.',
  startThread: 'Start a thread in {project}',
  startThreadHint: 'Write a message below, or drop files anywhere. Each thread has its own files, plan and history.',
  examples: 'Examples',

  // feed
  threadDeletedHere: 'This thread and its files were deleted.',

  // diagram
  diagramText: 'Text of the diagram',

  // footnotes
  footnoteReturn: 'Back to footnote {place} in the text',

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
