import { catalogue } from '../kit/words/catalogue.ts'

/** What the HTTP interface says about requests that fail. */
export const apiWords = catalogue({
  // operations
  invokesAgent: 'The same, after giving the thread to an agent, as @name in the message does',
  noAgentOrThread: 'No such agent or conversation',
  offOrElsewhere: 'The agent is switched off, or the conversation is on another platform',

  // app
  thereIsNothingAt: 'There is nothing at {path}.',

  // capability routes
  addressUnreadable: 'The address can’t be read: a % in it begins no character.',
  encodeAddress: 'Write a % as %25.',

  // body
  takesJsonBody: 'This takes a JSON body.',
  bodyIsntJsonUtf: 'The body isn’t JSON in UTF-8.',
  sendOneJsonObject: 'Send one JSON object, encoded as UTF-8.',
  messageCanHaveMost: 'A message can have at most {most, plural, one {# file} other {# files}}.',
  sendThemSeveralMessages: 'Send them in several messages.',
  partBodyCantRead: 'Part of the body can’t be read.',
  fileNameMayNot: 'A file name may not contain a line break; rename the file.',
  multipartBodyBroken: 'The multipart body is broken.',
  sendMultipartFormData: 'Send multipart/form-data with a boundary.',
  messageTooLongBody: 'The message is too long: its body can have at most {maxBytes}.',
  sendTextAsFile: 'Send the text as a file.',

  // chat
  messageEmpty: 'The message is empty.',
  idempotencyKeyLongerThan: 'The Idempotency-Key is longer than {longestKey} characters.',
  useUuid: 'Use a UUID.',
  thisConversationIsIn: 'This conversation is in {platform}.',
  writeThere: 'Write there.',

  // conversations
  nothingInterruptedConversation: 'Nothing was interrupted in this conversation.',
  writeMessageInstead: 'Write a message instead.',
  conversationWaitingPerson: 'This conversation is waiting for a person.',
  answerRequestGetApi: 'Answer the request; GET /api/v1/requests?status=pending lists it.',

  // errors
  somethingWentWrongInside: 'Something went wrong inside Bobbin.',
  tryAgainDetailsLog: 'Try again. The details are in the log.',
  requestNotValid: 'The request is not valid. {faults}.',

  // feedback
  noSuchAnswerThread: 'There is no such answer in this thread.',

  // files
  noFileThread: 'There is no file {path} in this thread.',
  filesListedFiles: 'Its files are listed at …/files.',

  // grants
  noGrant: 'There is no grant {id}.',
  getApiV1Grants: 'GET /api/v1/grants lists them.',
  grantAlreadyEnded: 'This grant has already ended.',
  theresNothingLeftDo: 'There’s nothing left to do.',

  // health
  bobbinCanStoreThings: 'Bobbin can store things.',

  // listen
  portUse: 'Port {port} on {host} is in use.',
  cannotListen: 'Cannot listen on {host}:{port}: {message}.',
  setBobbinPortAnother: 'Set BOBBIN_PORT to another port (0 takes any).',

  // preview
  noPreviewKindFile: 'There is no preview of this kind of file.',
  noPartOnly: 'It has no part {part}, only {count}.',
  theyCountFrom0: 'They count from 0 here.',

  // requests
  moreAnswersThanQuestions: 'There are more answers than questions.',
  sendOneEachQuestion: 'Send one for each question.',
  sendOneOptionId: 'Send one option id, or text.',
  sendOneAlsoSame: 'Send one in `also`, at the same position.',
  noRequest: 'There is no request {id}.',
  getApiV1Requests: 'GET /api/v1/requests lists them.',
  requestSaysWhoDecides: 'The request says who decides, and what is offered.',
  requestKind: 'This request is of kind {expected}.',
  approvalTakesDecisionQuestion: 'An approval takes `decision`, a question `answer`.',
  byPerson: 'This was already decided: {who} was first.',
  byDeadline: 'This was already decided: its deadline had passed.',
  byStop: 'This was already decided: {who} stopped the turn that asked this.',
  noLongerNeeded: 'This is no longer needed: what asked it has ended.',

  // security
  needsTokenConsole: 'This needs a token of the console.',
  signOrSendAs: 'Sign in at /, or send it as a bearer token; `bobbin token new` makes one.',
  bobbinDoesntAnswerHost: 'Bobbin doesn’t answer to the host name {host}.',
  otherSitesPagesMay: 'Other sites’ pages may not use the console.',
  openConsoleItself: 'Open the console itself.',
  tokenIsntValid: 'This token isn’t valid.',
  checkOrMakeOne: 'Check it, or make one with `bobbin token new`.',

  // sign in
  tooManyWrongTokens: 'Too many wrong tokens came from this address.',
  tryAgainS: 'Try again in {wait} s.',

  // threads
  cursorIsntOneOurs: 'This cursor isn’t one of ours.',

  // who
  threadDoesntExistOr: 'This thread doesn’t exist, or it was deleted.',
  startNewOneOr: 'Start a new one, or choose another.',
})
