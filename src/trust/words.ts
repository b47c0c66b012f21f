import { catalogue } from '../kit/words/catalogue.ts'

/** What is said about approvals, grants, and who may decide. */
export const trustWords = catalogue({
  // admit
  workspaceOrServerIsnt: 'This workspace or server isn’t listed in access.tenants.',
  channelIsntListedAccess: 'This channel isn’t listed in access.channels.',
  personIsntListedAccess: 'This person isn’t listed in access.users.',
  otherWorkspacesArent: 'This person is from another workspace (access.other_workspaces is false).',
  botsOwnMessage: 'It’s the bot’s own message.',
  fromAnotherBotIsnt: 'It’s from another bot that isn’t listed in access.bots.',
  fromAnotherBotDoesnt: 'It’s from another bot and doesn’t mention this one.',
  botReachedLimitAnswers: 'That bot has reached its limit of answers here for now (access.bot_messages).',

  // answer
  files: 'Files: {paths}',
  withFiles: '{text} (Files: {paths})',
  otherPeopleBeingAsked: 'Other people are being asked now. Look again.',
  timeRunOut: 'The time for this has run out.',
  iCouldntCheckWhether: 'I couldn’t check whether you may decide this. Try again.',
  thisQuestionIsFor: 'This question is for {to}.',
  writeThreadFirstThen: 'Write in this thread first. Then your answer counts.',
  onlyCanAnswer: 'Only {who} can answer this.',
  canOnlyApprovedOnce: 'This can only be approved once.',
  youCanAllowOnly: 'You can allow this only in this thread.',
  directMessagesCanAllowed: 'In direct messages this can be allowed only for this thread.',
  onlyExactlyCallCan: 'Only exactly this call can be allowed.',
  exactCallCantAlways: 'This exact call can’t always be allowed: it may do something else next time.',

  // bind
  runsTooManyFiles: 'it runs more than {most} files',
  tooLongToFollow: '{path} is too long to follow',
  unclearWhere: 'it isn’t clear in which folder {path} runs',
  unclearMissing: '{path} isn’t there yet, so what it does can’t be shown',
  unclearUp: 'it isn’t clear where .. leads from {path}: it isn’t a folder, or is a link',
  cantBeRun: '{path} can’t be run: {why}, so its content could change after the approval.',
  runFileWorkspaceItself: 'Run a file that is in the workspace itself, not a link.',

  // layers
  ruleForbids: 'A rule forbids {tool} to do this.',
  rulesAllow: 'The rules allow {tool} to do this.',
  notPlain: 'It’s more than a plain command.',
  alwaysNeedsApproval: '{tool} always needs approval.',
  byEffect:
    '{tool} {effect, select, read {reads data} write {changes something in this thread} other {acts outside this thread}}.',
  rulesAllowWithoutAsking: 'The rules allow {tool} without asking.',

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
  mayDoMoreThan: 'It may do more than is shown: {first}.',

  // policy
  personAllowedCallsLike: 'A person has allowed calls like this.',
  noGrantCoversBecause: 'No grant covers it, because it may run something that needs approval: {reason}',
  approvalsTurnedOffApprovals: 'Approvals are turned off (approvals: false in hitl_rules.yaml). {reason}',
  approvalsTurnedOffTools:
    'Approvals are turned off for {tool} (tools.{tool}.approvals: false in hitl_rules.yaml). {reason}',
  riskApprovalsStartAsk: 'Its risk is {risk}; approvals start at {ask_from} (ask_from in hitl_rules.yaml). {reason}',
  canSendDataOut: 'It can send data out, and {source} is in this thread and may be what prompted it.',
  toWriteUploads: 'to write to uploads/',
  moreTimeOrMemory: 'more time or memory',
  theNetwork: 'the network',
  theNetworkNoHost: 'the network (but no rule names a host, so it won’t get any)',
  needsWhichClosedSandbox: 'It needs {needs}, which the closed sandbox doesn’t allow.',

  // remind
  needsYourAnswer: 'This needs your answer.',
  stillNeedsAnswer: 'This still needs an answer: {question}',
  nobodyDecidedYetIm: 'Nobody has decided yet, so I’m asking others: {tool}, for {who}.',
  stillNeedsDecision: 'This still needs a decision: {tool}, for {who}.',

  // show whole
  whatRuns: 'What it runs:',
  allOfIt: '{tool}, all of it:',
  allUnclear: 'What’s unclear about {tool}:',

  // verdict
  partHidden: 'part of what runs is hidden because it looks like a secret',
  noSandboxHolds: 'there is no sandbox to hold it',
  notInWorkspace: '{tool} may not be used in this workspace.',
  notInChannel: '{tool} may not be used in this channel.',
  notByPerson: '{name} may not use {tool}.',
  iCouldntCheckWhether2: 'I couldn’t check whether {name} may use {tool} ({reason}).',

  // who
  personWhoAskedCant: 'The person who asked for this can’t decide it.',
  onlyCanDecide: 'Only {who} can decide this.',
  outsidersCant: 'You’re from another workspace, and the rules don’t name you, so you can’t decide this.',

  // written
  tooLongCheckAgainst: 'It’s too long to check against the rules.',
})
