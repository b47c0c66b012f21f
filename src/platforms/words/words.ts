import { catalogue } from '../../kit/words/catalogue.ts'

/** What cards, questions and notices say on every platform. Plain text: whoever shows it escapes it. */
export const chatWords = catalogue({
  // How long a grant lasts, and where it applies.
  oneHour: '1 hour',
  oneDay: '1 day',
  thirtyDays: '30 days',
  untilRevoked: 'Until revoked',
  threadScope: 'in this thread',
  channelScope: 'in this channel',
  workspaceScope: 'in this whole workspace',
  serverScope: 'in this whole server',

  directScope: 'In these direct messages',

  // The form for "always".
  alwaysAllow: 'Always allow {tool}',
  what: 'What?',
  where: 'Where?',
  untilWhen: 'For how long?',
  alwaysHead: 'This approves the call and allows it from now on. It can be revoked at any time.',
  untrustedHead: '⚠ Content from outside is in this thread, or this call brings it in.',
  untrustedRest: 'It may be why I’m asking. What you allow applies even with such content here, whatever its source.',
  threadOnly: 'Only the operator (in the console), or someone named in the rules, can allow more than this thread.',
  tooLong: 'There’s a wider option too, but it’s too long for this form: see the console.',
  exact: 'Exactly this call',
  wide: 'Anything that matches the patterns',
  closed: 'Anything in the closed sandbox, until tomorrow',
  onceOnly: 'This can only be approved once.',

  // What a grant allows.
  exactReach:
    'This call and no other: {bound, select, tool {same tool and arguments} directory {same tool, arguments and directory} scripts {same tool, arguments and contents of the scripts that it runs} other {same tool, arguments, directory and contents of the scripts that it runs}}.',
  wideReach:
    'Any call whose parts all match a pattern or are allowed anyway; * is any text.{bound, select, tool {} directory { Only in the same directory.} other { Only in the same directory, and with the scripts that it runs as they are now.}} I still ask when the risk is high.',
  closedReach:
    'Allows every command and script in this thread until the end of tomorrow. They run in the closed sandbox: they can read this thread’s files and write only to outputs/ and temp/, and they have no network. I still ask when a rule says so (such as for rm -rf or pip install).',

  // The form for a no.
  whyNot: 'Why not?',
  whatInstead: 'What should I do instead?',

  // The card.
  allAbove: 'All of it is above.',
  cutOnCard: 'Not all of it fits here: the console shows it.',
  moreCharacters: '… {count} more {count, plural, one {character} other {characters}} …',
  approversTitle: 'Can be approved by:',
  unclear: 'Unclear',
  mayReach: 'May reach',
  writesTo: 'Writes to',
  runs: 'Runs',
  runsShown: 'Runs (shown above)',
  andMorePeople: '{names} and {count} more',
  votes: '{count} of {needed}',
  votesBy: '{count} of {needed}: {names}',
  lowRisk: 'low risk',
  mediumRisk: 'medium risk',
  highRisk: 'high risk',
  criticalRisk: 'critical risk',

  // What happens at the deadline, within a sentence.
  deniedAtDeadline: 'it counts as a no',
  goesOn: 'it goes on without an answer',
  isTaken: '“{answer}” is taken',

  // A click or a command that failed.
  didNotWork: 'That didn’t work. Try again.',

  // What became of a request.
  cancelled: 'No longer needed',
  deniedByDeadline: 'Denied because nobody decided in time',
  approvedOnce: 'Approved once',
  approvedAlways: 'Approved always',
  denied: 'Denied',
  corrected: 'Corrected',
  skipped: 'Skipped',
  unanswered: 'Nobody answered in time',
  answered: 'Answered',
  labelWhyNot: 'Why not',
  labelInstead: 'Instead',

  // What people are told privately about their answer.
  gone: 'This no longer exists: the thread was reset or deleted.',
  unfit: 'That isn’t a valid answer to this question.',
  counted: 'Counted: {count} of {needed}.',
  tooLate:
    'Too late, this has been settled: {how, select, approvedOnce {approved once} approvedAlways {approved always} denied {denied} corrected {corrected} deniedByDeadline {denied because nobody decided in time} skipped {skipped} unanswered {nobody answered in time} answered {answered} other {no longer needed}}.',
  settledBy:
    'Too late, this has been settled: {how, select, approvedOnce {approved once} approvedAlways {approved always} denied {denied} corrected {corrected} deniedByDeadline {denied because nobody decided in time} skipped {skipped} unanswered {nobody answered in time} answered {answered} other {no longer needed}} by {names}.',

  // A turn.
  planDone: '{title}: {done} of {count, plural, one {# step} other {# steps}} done',
  steps: '{count, plural, one {# step} other {# steps}}',
  stepsFailed: '{count, plural, one {# step} other {# steps}}, {failed} failed',
  stopped: 'Stopped.',
  stoppedBy: 'Stopped by {name}.',
  turnFailed: 'It ended with an error.',

  // Files.
  fileTooLarge: '({path} is too large to post here: {size} bytes. It’s in the thread’s files in Bobbin’s console.)',
  fileTooLargeForDiscord:
    '{name} is too large for Discord: {size} MB, and 10 MB are allowed. It’s in the thread’s files in Bobbin’s console.',
  filesRefused:
    '{names} couldn’t be posted: {reason}. {count, plural, one {It’s} other {They’re}} in the thread’s files in Bobbin’s console.',
  filesLater:
    '{names} couldn’t be posted: {reason}. I’ll post {count, plural, one {it} other {them}} here when I can. {count, plural, one {It’s} other {They’re}} in the thread’s files in Bobbin’s console.',
  filesLaterRemedy:
    '{names} couldn’t be posted: {reason}. {remedy}. I’ll post {count, plural, one {it} other {them}} here when I can. {count, plural, one {It’s} other {They’re}} in the thread’s files in Bobbin’s console.',
  fileGone: '{name} couldn’t be posted: {reason}.',
  fileUnread: '{name} couldn’t be posted: {reason}. It’s in the thread’s files in Bobbin’s console.',

  // What the doctor says about the clock.
  noTimeGiven: '{whose} didn’t say what time it is there.',
  clockAhead: 'This machine’s clock is {seconds} s ahead of {whose}’s.',
  clockBehind: 'This machine’s clock is {seconds} s behind {whose}’s.',
  botApart: 'The bot is running, but isn’t connected to {whose}.',
  botApartRemedy: 'Stop it and start it again: it reads its tokens only when it starts.',
  clockAgrees: 'The clock agrees with {whose}’s.',
  clockRemedy: 'Let the machine keep the time: sudo timedatectl set-ntp true',

  // Once in a channel that it was invited to, in Markdown.
  greeting:
    'Hi! Mention me with what you need, such as “{call} compare these two files”, and I’ll answer in a thread. I ask for approval before I do anything risky. `{call} help` shows what else I can do.',

  // The web console, among the platforms.
  consoleAvailable: 'The console is available.',

  // Buttons, forms and their fields.
  approve: 'Approve',
  approveTool: 'Approve {tool}?',
  always: 'Always…',
  alwaysAllowTitle: 'Always allow',
  deny: 'Deny',
  denyTool: 'Deny {tool}',
  cancel: 'Cancel',
  send: 'Send',
  skip: 'Skip',
  answer: 'Answer',
  answerForm: 'Answer…',
  yourAnswer: 'Your answer',
  yourAnswers: 'Your answers',
  somethingElse: 'Something else…',
  choose: 'Choose',
  chooseOne: 'Choose one',
  optional: '(optional)',
  files: 'Files',
  forPeople: 'For {names}',
  andMore: 'and {count} more',
  exactlyThis: 'exactly this call',
  good: 'Good',
  bad: 'Bad',

  // Above an answer.
  done: 'Done.',
  plan: 'Plan',
  working: 'Working…',
})
