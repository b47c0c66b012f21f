import { catalogue } from '../kit/words/catalogue.ts'

/** What the HTTP interface says about requests that fail. */
export const apiWords = catalogue({
  // operations
  invokesAgent: 'The same, after giving the thread to an agent, as @name in the message does',
  agentOrThreadUnknown: 'No such agent or conversation',
  readsPrompt: 'The instructions as they were sent to the model, and the tools it is offered',
  offOrElsewhere: 'The agent is switched off, something else has its name, or the conversation is on another platform',

  notValid: 'Not valid',
  needsToken: 'It needs a token',
  fromElsewhere: 'From another site or through a proxy, or you may not do this',
  tooLarge: 'Too large',
  notJson: 'The body isn’t JSON',
  wrongTokens: 'Too many wrong tokens',
  idempotencyKey: 'A message that is sent again with the same key is taken once',
  lastEventId: 'The number of the last event that was received',
  notDescribed: '{method} {path} can’t be described: {reason}.',

  // as described
  wrongMethod: '{method} isn’t for {path}.',
  wrongMethodRemedy: 'There is {methods}: see /api/v1/openapi.json.',
  unknownParameter: 'There is no query parameter {name} here.',
  misspeltParameter: 'There is no query parameter {name} here, but there is {nearest}.',
  parametersRemedy: 'It takes {known}.',
  noParametersRemedy: 'It takes none.',

  // app
  unknownPath: 'There is nothing at {path}.',

  // capability routes
  correctPlugin: 'Correct the plug-in.',
  addressUnreadable: 'The address can’t be read: a % in it begins no character.',
  addressUnreadableRemedy: 'Write a % as %25.',

  routeAnsweredNothing: 'The plug-in’s route at {path} didn’t return a response.',

  // body
  notJsonType: 'This takes a JSON body.',
  unparsableBody: 'The body isn’t JSON in UTF-8.',
  unparsableBodyRemedy: 'Send one JSON object, encoded as UTF-8.',
  tooManyFiles: 'A message can have at most {most, plural, one {# file} other {# files}}.',
  tooManyFilesRemedy: 'Send them in several messages.',
  unreadablePart: 'Part of the body can’t be read.',
  unreadablePartRemedy: 'A file name may not contain a line break; rename the file.',
  brokenMultipart: 'The multipart body is broken.',
  brokenMultipartRemedy: 'Send multipart/form-data with a boundary.',
  bodyTooLarge: 'The message is too long: its body can have at most {maxBytes}.',
  bodyTooLargeRemedy: 'Send the text as a file.',

  // chat
  messageEmpty: 'The message is empty.',
  idempotencyKeyTooLong: 'The Idempotency-Key is longer than {longestKey} characters.',
  idempotencyKeyRemedy: 'Use a UUID.',
  threadElsewhere: 'This conversation is in {platform}.',
  threadElsewhereRemedy: 'Write there.',
  otherProject: 'This conversation is in {project}, and `project_id` names another one.',
  otherProjectRemedy: 'Leave out `project_id`, or `conversation_id` to start a new one there.',
  nameOfSkill: 'In {project}, @{agent} means a skill, so the agent of that name can’t be given the thread there.',
  nameOfSkillRemedy: 'Remove the skill, or choose another project_id.',

  // conversations
  historyChanged: 'Bobbin’s data was restored from a backup, which has less of this conversation.',
  historyChangedRemedy: 'Open it again.',
  nothingToResume: 'Nothing was interrupted in this conversation.',
  nothingToResumeRemedy: 'Write a message instead.',
  waitsForPerson: 'This conversation is waiting for a person.',
  waitsForPersonRemedy: 'Answer the request; GET /api/v1/requests?status=pending lists it.',

  // errors
  internalError: 'Something went wrong inside Bobbin.',
  internalErrorRemedy: 'Try again. The details are in the log.',
  invalidRequest: 'The request is not valid. {faults}.',
  unknownField: '{field}: there is no such field',
  misspeltField: '{field}: there is no such field, but there is {nearest}',

  // feedback
  unknownAnswer: 'There is no such answer in this thread.',

  // files
  unknownFile: 'There is no file {path} in this thread.',
  unknownFileRemedy: 'Its files are listed at …/files.',

  // grants
  noGrant: 'There is no grant {id}.',
  unknownGrantRemedy: 'GET /api/v1/grants lists them.',
  grantEnded: 'This grant has already ended.',
  grantEndedRemedy: 'There’s nothing left to do.',

  // health
  storeHealthy: 'Bobbin can store things.',

  // listen
  portUse: 'Port {port} on {host} is in use.',
  listeningFailed: 'Cannot listen on {host}:{port}: {message}.',
  portTakenRemedy: 'Set BOBBIN_PORT to another port (0 takes any).',

  // preview
  previewUnsupported: 'There is no preview of this kind of file.',
  unknownPart: 'It has no part {part}, only {count}.',
  unknownPartRemedy: 'They count from 0 here.',

  // requests
  tooManyAnswers: 'There are more answers than questions.',
  tooManyAnswersRemedy: 'Send one for each question.',
  severalAnswersRemedy: 'Send one option id, or text.',
  answerMissingRemedy: 'Send one in `also`, at the same position.',
  noRequest: 'There is no request {id}.',
  unknownRequestRemedy: 'GET /api/v1/requests lists them.',
  notAllowedRemedy: 'The request says who decides, and what is offered.',
  requestKind: 'This request is of kind {expected}.',
  requestKindRemedy: 'An approval takes `decision`, a question `answer`.',
  byPerson: 'This was already decided: {who} was first.',
  byDeadline: 'This was already decided: its deadline had passed.',
  byStop: 'This was already decided: {who} stopped the turn that asked this.',
  requestCancelled: 'This is no longer needed: what asked it has ended.',

  // security
  tokenNeeded: 'This needs a token of the console.',
  tokenNeededRemedy: 'Sign in at /, or send it as a bearer token; `bobbin token new` makes one.',
  notValidNow: 'This token of the console isn’t valid, or was revoked.',
  foreignHost: 'Bobbin doesn’t answer to the host name {host}.',
  foreignOrigin: 'Other sites’ pages may not use the console.',
  foreignOriginRemedy: 'Open the console itself. Behind a proxy, it needs a token (docs/running.md, “Sign in”).',
  hostLostRemedy: 'Open the console itself. A proxy has to pass on the Host header (docs/running.md, “Sign in”).',
  proxied: 'This request came through a proxy, and this console asks nobody for a token.',
  proxiedRemedy:
    'Set BOBBIN_HOST to an address that isn’t loopback; then the console asks for one (docs/running.md, “Sign in”).',
  invalidToken: 'This token isn’t valid.',
  invalidTokenRemedy: 'Check it, or make one with `bobbin token new`.',

  // sign in
  tooManyGuesses: 'Too many wrong tokens came from this address.',
  tooManyGuessesRemedy: 'Try again in {wait} s.',

  // threads
  unknownCall: 'No call of this conversation has the id that is sent as `before`.',
  unknownCallRemedy: 'Send the `call_id` of one that was listed.',
  unknownCursor: 'This cursor isn’t one of ours.',

  // who
  threadGone: 'This thread doesn’t exist, or it was deleted.',
  threadGoneRemedy: 'Start a new one, or choose another.',
})
