import { catalogue } from '../kit/words/catalogue.ts'

/** What is said about approvals, grants, and who may decide. */
export const trustWords = catalogue({
  // admit
  tenantNotListed: 'This workspace or server isn’t listed in access.tenants.',
  channelNotListed: 'This channel isn’t listed in access.channels.',
  personNotListed: 'This person isn’t listed in access.users.',
  otherWorkspaces: 'This person is from another workspace (access.other_workspaces is false).',
  workspaceUnchecked:
    'I couldn’t check whether this person is from another workspace (access.other_workspaces is false).',
  ownMessage: 'It’s the bot’s own message.',
  botNotListed: 'It’s from another bot that isn’t listed in access.bots.',
  botWithoutMention: 'It’s from another bot and doesn’t mention this one.',
  botOverLimit: 'That bot has reached its limit of answers here for now (access.bot_messages).',

  // answer
  files: 'Files: {paths}',
  withFiles: '{text} (Files: {paths})',
  movedToOthers: 'Other people are being asked now. Look again.',
  requestExpired: 'The time for this has run out.',
  deciderUnchecked: 'I couldn’t check whether you may decide this. Try again.',
  askedOfOthers: 'This question is for {to}.',
  notTakingPart: 'Write in this thread first. Then your answer counts.',
  notAnAnswerer: 'Only {who} can answer this.',
  neverAlways: 'This can only be approved once.',
  alwaysOnlyInThread: 'You can allow this only in this thread.',
  directOnlyInThread: 'In direct messages this can be allowed only for this thread.',
  noWidePattern: 'Only exactly this call can be allowed.',
  noExactPattern: 'This exact call can’t always be allowed: it may do something else next time.',

  // bind
  runsTooManyFiles: 'it runs more than {most} files',
  scriptTooLong: '{path} is too long to follow',
  unclearWhere: 'it isn’t clear in which folder {path} runs',
  unclearMissing: '{path} isn’t there yet, so what it does can’t be shown',
  unclearUp: 'it isn’t clear where .. leads from {path}: it isn’t a folder, or is a link',
  unclearPackage: '{path} is a link, too large or can’t be read, so what it does can’t be shown',
  unclearFolder: '{path} is a folder or leads through a file, so what it runs can’t be shown',
  scriptNotBound: '{path} can’t be run: {why}, so its content could change after the approval.',
  scriptNotBoundRemedy: 'Run a file that is in the workspace itself, not a link.',

  // layers
  ruleForbids: 'A rule forbids {tool} to do this.',
  rulesAllow: 'The rules allow {tool} to do this.',
  notPlain: 'It’s more than a plain command.',
  mustBeApproved: '{tool} always needs approval.',
  byEffect:
    '{tool} {effect, select, read {reads data} write {changes something in this thread} other {acts outside this thread}}.',
  allowedByMode: 'The rules allow {tool} without asking.',

  // deciders
  whoeverAsked: 'whoever asked',
  peopleHere: 'the people in this thread',
  anyone: 'anyone',
  theOperator: 'the operator',
  nobody: 'nobody',
  severalOf: '{needed} of {who}',
  notTheAsker: '{who}, but not the person who asked',

  // paths written
  nameNotKnown: 'a file whose name is only known when it runs',
  inItsFolder: '{path} (in the folder that it changes to)',

  // own check
  noNetwork: 'There’s no network for it, because no rule names a host.',
  askedEachTime: 'It needs approval each time.',
  partlyUnclear: 'It may do more than is shown.',
  partlyUnclearBecause: 'It may do more than is shown: {first}.',

  // policy
  coveredByGrant: 'A person has allowed calls like this.',
  grantTooNarrow: 'No grant covers it, because it may run something that needs approval: {reason}',
  approvalsOff: 'Approvals are turned off (approvals: false in hitl_rules.yaml). {reason}',
  toolNeverAsks: 'Approvals are turned off for {tool} (tools.{tool}.approvals: false in hitl_rules.yaml). {reason}',
  riskBelowApproval: 'Its risk is {risk}; approvals start at {ask_from} (ask_from in hitl_rules.yaml). {reason}',
  mayLeakUntrusted:
    'It can send data out, and this thread contains content from outside ({source}), which may have prompted it.',
  uploadsNeeded: 'to write to uploads/',
  limitsNeeded: 'more time or memory',
  networkNeeded: 'the network',
  networkWithoutHosts:
    'No rule names a host for this command, so it has no network, even when approved. Whoever runs the bot can add `hosts` to a rule.',
  beyondClosedSandbox: 'It needs {needs}, which the closed sandbox doesn’t allow.',

  // remind
  answerPing: 'This needs your answer.',
  answerReminder: 'This still needs an answer: {question}',
  questionOpened: 'I haven’t heard from {names}. Now {who} can answer too: {question}',
  decisionEscalated: 'Nobody has decided yet, so I’m asking others: {tool}, for {who}.',
  decisionReminder: 'This still needs a decision: {tool}, for {who}.',

  // show whole
  whatRuns: 'What it runs:',
  wholeCall: '{tool}, all of it:',
  oddName: 'Under this name:',
  allUnclear: 'What’s unclear about {tool}:',

  // verdict
  partHidden: 'part of what runs is hidden because it looks like a secret',
  noSandboxHolds: 'there is no sandbox to hold it',
  tenantNotAllowed: '{tool} may not be used in this workspace.',
  projectNotAllowed: '{tool} may not be used in this channel.',
  personNotAllowed: '{name} may not use {tool}.',
  personUnchecked: 'I couldn’t check whether {name} may use {tool} ({reason}).',
  workspaceUnknown: 'their workspace is unknown; they can ask again in a minute',

  // who
  askerMayNot: 'The person who asked for this can’t decide it.',
  notADecider: 'Only {who} can decide this.',
  outsiderMayNot: 'You’re from another workspace, and the rules don’t name you, so you can’t decide this.',
  uncheckedMayNot: 'I couldn’t check which workspace you’re from, so you can’t decide this yet. Try again in a minute.',

  // written
  commandTooLong: 'It’s too long to check against the rules.',
})
