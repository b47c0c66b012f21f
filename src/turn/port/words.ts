import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about a turn: how it went on, and why it couldn't. */
export const turnWords = catalogue({
  // Why a model or a turn failed, and what helps. `…Remedy` is for whoever runs the bot; the others are for the thread.
  couldNotContinue: 'I couldn’t continue: {why}',
  keyRemedy: 'Once that is set right and Bobbin has started again, use Resume.',
  keyRefused: 'The model’s provider doesn’t accept my key.',
  setKey: 'Whoever runs me has to set a valid one. Until then, `retry` won’t help.',
  creditRemedy: 'Once there is credit again, use Resume.',
  noCredit: 'The account for the model is out of credit.',
  topUp: 'Whoever runs me has to top it up.',
  noRights: 'My key isn’t allowed to use this model.',
  noSuchModel: 'The model I’m set up with doesn’t exist there.',
  chooseModel: 'Whoever runs me has to choose another one.',
  changeThat: 'Whoever runs me has to change that.',
  laterRemedy: 'Use Resume in a few minutes.',
  overloaded: 'The model is overloaded.',
  providerFailed: 'The model’s provider has a problem.',
  retryLater: 'Say `retry` in a few minutes.',
  cutRemedy: 'Use Resume.',
  brokeOff: 'The model’s reply broke off.',
  retryNow: 'Say `retry`.',
  hangRemedy:
    'Use Resume in a few minutes. If the model always takes this long, raise its limits under `patience` in config/models.yaml, such as `first_output_timeout_ms`.',
  noAnswer: 'The model doesn’t answer.',
  emptyRemedy: 'Rephrase the request.',
  empty: 'The model’s answer was empty.',
  rephrase: 'Rephrase your request.',
  endlessRemedy: 'Ask for less at a time.',
  endless: 'The model’s answer didn’t come to an end.',
  rejectedRemedy: 'Rephrase the request. If that doesn’t help, the details are in the log.',
  rejected: 'The model rejected the request.',
  rephraseOrLog: 'Rephrase it; the details are in the log.',
  unreachableRemedy: 'Use Resume once it is back.',
  unreachable: 'The model’s server can’t be reached.',
  onceReachable: 'Whoever runs me has to look into it. Say `retry` once it’s back.',
  tooLongRemedy:
    'Say `compact` to have the thread summarised, or start a new thread. If the message itself is long, send it as a file.',
  tooLong: 'That’s more than the model can read.',
  noToolsRemedy: 'Once it takes tools, or another model is set and Bobbin has started again, use Resume.',
  noTools: 'The model I’m set up with can’t use tools, and I need them.',
  filteredRemedy: 'Edit or delete the message that it is about, or say `reset` to have the thread’s history cleared.',
  filtered: 'The provider’s content filter doesn’t let through something in this thread.',
  takeBack: 'Edit or delete the message that it’s about, or say `reset` to have me forget what was said here.',
  internal: 'Something went wrong inside Bobbin.',
  internalRemedy: 'Ask again. The details are in the log.',
  crashed:
    'Bobbin crashed {deaths} times in a row at this step{calls, select, none {} other { (while running {calls})}}.',
  crashedRemedy: 'Ask in another way, or ask whoever runs Bobbin to check the log.',

  // Why a message wasn't answered.
  stayedSilent: 'It doesn’t mention the bot, which read it and had nothing to say.',
  silentWithoutConsent: 'It doesn’t mention the bot, which would have had to ask first whether it may go on.',

  // While it runs.
  answerCut: 'The model reached its output limit, so the answer ends here.',
  asideCut: 'The model reached its output limit before it was done.',
  answerFiltered: 'The provider’s content filter cut the answer.',
  cutBeforeSaying: 'The model was cut off before it said anything. Ask for less at a time, or rephrase your request.',
  outOfSteps: 'I’ve used all {steps} steps and I’m not done. Ask me to continue.',
  turnTooLong: 'The models took longer than {minutes, plural, one {# minute} other {# minutes}} in this turn.',
  retrying: '{why} Trying again in {seconds} s (attempt {attempt} of {attempts}).',
  withoutImages: '{why} Continuing without the images.',
  answersInstead: '{why} {name} answers instead.',
  leftAlone: '{name} has failed several times, so I won’t use it for a while. {other} answers instead.',
  tooManyCalls:
    'The model asked for {asked} calls at once; only the first {most, plural, one {was} other {# were}} run.',
  moreOutputs:
    '{more, plural, one {One more file isn’t} other {{more} more files aren’t}} attached: an answer brings at most {most}. Ask me for the ones you need, or for a zip file of all.',
  earlierUnread:
    'I couldn’t read the earlier messages of this thread: {reason}. If one of them matters, quote it here.',

  // A message that was edited, or was there before the bot. The model reads it.
  cutShort: '{cut}…\n\n(The rest of this message is left out.)',

  // A call in the middle of which the reply was cut. The model reads it, and whoever opens the call.
  callCut:
    'your reply reached its output limit in the middle of this call, so it was not made. Write less at once: make a long file in parts, by several calls.',
  callFiltered: 'the provider’s content filter cut your reply in the middle of this call, so it was not made.',

  // For the model, after the result of the last call that was run.
  callsUnrun:
    '[The program] {unrun, plural, one {One more call} other {# more calls}} of your reply {unrun, plural, one {was} other {were}} not run: that was too many at once. Make what is still needed again.',

  // A call that repeats itself.
  repeatedCall: 'I keep calling {name} with the same arguments: {times} times within a minute. What should I do?',
  // Its arguments aren't known.
  cutAgain:
    'My replies keep being cut in the middle of a call of {name}: {times} times within a minute. What should I do?',
  refusedRemedy: 'Or tell me what to do instead.',
  runAgain: 'Run it again',
  tryAgain: 'Try again',
  skipIt: 'Skip it',
  stop: 'Stop',
  rulesChanged: 'The rules for it have changed since you saw this.',
  contentChanged: 'What it runs has changed since you saw this.',

  // Names, people and files.
  unusableName: 'I can’t use `@{name}` here. {why}',
  unknownName: 'I don’t know `@{name}`. Did you mean `@{nearest}`?',
  couldNotCheckWho: 'I couldn’t check whether you may {what}. Try again in a minute.',
  onlyThey: 'Only {who} can {what}.',
  cleaned:
    '{files, plural, one {One file was} other {# files were}} removed on {day}, because nobody had used this thread for {days, plural, one {# day} other {# days}}.',

  // Uploads.
  notSaved: '{name} couldn’t be saved. Send it again.',
  notSavedBecause: '{name} couldn’t be saved: {why}',
  notSavedNowRemedy: 'Send it again in a few minutes.',
  earlierNotSaved:
    'Not saved, because many files were posted before you were mentioned: {names}. If you need one of them, ask for it to be sent again.',
  fileTooLarge: 'it’s too large: a file can have at most {most}.',
  fileTooLargeRemedy: 'Send a part of it.',
  careful: 'Careful: {name} {is}.',
  carefulWith: 'Careful with {name}: {notice}.',

  // What became of a question or an approval. The model reads it, and whoever opens the call.
  aPerson: 'a person',
  questionWithdrawn: 'The question was withdrawn.',
  nobodyAnswered: 'Nobody answered in time. Continue without the answer.',
  defaultTaken: 'Nobody answered in time, so the default was taken: {answer}',
  answerDeclined: '{who} declined to answer.',
  answered: '{who} answered: {answer}',
  answeredAll: '{who} answered:\n{answers}',
  noAnswerGiven: '(no answer)',
  forbidden: 'Forbidden by rule: {why}',
  nobodyDecided: 'Cancelled: nobody decided in time.',
  denied: 'Cancelled: {who} denied this.',
  deniedBecause: 'Cancelled: {who} denied this: {why}',
  corrected: 'Corrected: {who} said no. Do this instead: {instead}',
  correctedBecause: 'Corrected: {who} said no ({why}). Do this instead: {instead}',

  // What was asked of a model aside.
  notAllowedYet: 'Nobody has allowed it yet.',

  // Late, and lacking.
  cannotTellLack: 'It can’t tell what it needs: {reason}',
  switchedOff: 'It is switched off in config/tools.yaml.',
  noRoomForTool: 'This thread has as many tools as models’ APIs take. Mention it in a new one.',
  hoursLate:
    '_{name} wrote this on {day}, and I only got to it {hours, plural, one {# hour} other {# hours}} later. Let me know if you still need it._',
  daysLate:
    '_{name} wrote this on {day}, and I only got to it {days, plural, one {# day} other {# days}} later. Let me know if you still need it._',

  // Refusals over HTTP.
  seeInterface: 'See /api/v1/openapi.json.',

  // Of an alarm.
  secondsLate: '{text}; it is {seconds, plural, one {# second} other {# seconds}} late',
  minutesLate: '{text}; it is {minutes, plural, one {# minute} other {# minutes}} late',
  alarmHoursLate: '{text}; it is {hours, plural, one {# hour} other {# hours}} late',
  ringsWaiting: '⏰ {text}\n\nI’m waiting for an answer on the card above. I’ll deal with this alarm after that.',

  // a hook of a plug-in, in the log
  wrongShape: 'It has to return {what}.',
  wrongShapeRemedy: 'Correct the plug-in.',
  foundNameTaken: 'There is a tool called {tool} already, so this one is left out.',
  foundNameTakenRemedy: 'Give it another name.',
})
