/**
 * What the console says around the threads: lists, settings, the pages of the sidebar. Complete sentences with named
 * values, in ICU's MessageFormat.
 */
export const pages = {
  // api
  sessionOver: 'You’re signed out: the token was revoked, or its time is over.',
  sessionOverRemedy: 'Sign in again.',
  httpStatus: 'The bot answered with status {status}.',

  // agents
  openRuns: '{count} open',
  switchedOff: 'switched off',
  hidden: 'hidden',
  outcomeSucceeded: 'succeeded',
  outcomeFailed: 'failed',
  outcomeStopped: 'stopped',
  outcomeOpen: 'working or waiting',
  allOfThem: 'all that the thread has',
  noneOfThem: 'none',
  agentModel: 'Model: {model}',
  agentSteps: 'Steps: at most {count}',
  agentTools: 'Tools: {names}',
  agentSkills: 'Skills: {names}',
  agentsHead:
    'Write @ and a name to give an agent the thread, or @agent and a name to have it help with a part. This is what each did in the last {days, plural, one {day} other {# days}}.',
  open: 'Open',
  theAgent: 'The agent {name}',
  words: 'Words: {triggers}',
  noRuns: 'No runs in this time.',
  began: 'Began',
  outcome: 'Outcome',
  time: 'Time',
  cost: 'Cost',
  thread: 'Thread',
  runsOf: 'Runs of {name}',
  agents: 'Agents',
  agent: 'Agent',
  runs: 'Runs',
  succeeded: 'Succeeded',
  timeEach: 'Time each',
  last: 'Last',
  newAgent: 'New agent',
  edit: 'Edit',
  save: 'Save',
  changesApply: 'Changes apply',
  inTenant:
    '{platform, select, slack {in the Slack workspace {id}} discord {in the Discord server {id}} other {in {id}}}',
  undoHere: 'Undo the changes here',
  backToFile: 'Reset to agents.yaml',
  nameOfAgent: 'Name, such as poet',
  agentPurpose: 'What it is for',
  howItWorks: 'Instructions',
  itsModel: 'Model slot',
  itsTools: 'Tools, separated by commas (empty: all, “none”: none)',
  itsSteps: 'Model calls per turn',
  itsWords: 'Words that choose it, separated by commas',
  routing: 'Routing',
  routingTrial: 'Who would get this message?',
  tryIt: 'Try it',
  nobodyByWords: 'No words match, so Bobbin answers itself.',
  meaningDecides: 'No words match, so the meaning decides.',
  chosenBecause: '{agents} ({how}), because of {words}.',
  wordsChoose:
    '{on, select, true {A message with the words of an agent goes to that agent.} other {Words don’t choose an agent: by_words is off in agents.yaml.}}',
  meaningChooses: '{on, select, true {If no words match, the meaning of the message decides.} other {}}',
  routeLine: '{name}: {agents} ({how}), for {about}',

  // app
  signedOut: 'Signed out',
  signIn: 'Sign in',
  skipToComposer: 'Skip to the message box',
  skipNavigation: 'Skip to the page',
  dropHint: 'Drop to attach to this message',

  // channels
  archivedThreads: 'Archived threads',
  archiveOf: 'Archived threads in {name}',
  threadsIn: 'Threads in {name}',
  notConnected: 'not connected',
  more: '{count} more',
  channels: 'Channels',
  newThread: 'New thread',
  closeArchive: 'Back to all threads',
  addChannel: 'Add a channel',
  nameChannel: 'Name of the channel',
  channelName: 'channel-name',
  console: 'Console',

  // costs
  day: 'Day',
  tenant: 'Workspace or server',
  channel: 'Channel',
  deletedThread: 'a deleted thread',
  person: 'Person',
  model: 'Model',
  answersThemselves: 'answers without a tool',
  today: 'today',
  thisMonth: 'this month',
  sinceBeginning: 'the beginning',
  noCosts: 'Nothing has been counted. Only models with a known price are: see config/models.yaml.',
  costs: 'Costs',
  calls: 'Calls',
  tokensIn: 'Tokens in',
  fromCache: 'From the cache',
  tokensOut: 'Tokens out',
  costsIntro: 'What the model calls have cost. Days are in UTC.',
  by: 'By',
  from: 'From',
  total: 'Total: {usd}',
  costsCut: 'The other lines aren’t shown. The total counts them.',
  unpriced: 'The price of {models} isn’t known, so the calls aren’t counted. It can be set in config/models.yaml.',

  // elsewhere
  threadElsewhere: 'This thread is in {name}. Write there.',
  channelElsewhere: 'This channel is in {name}. Mention the bot there to start a thread.',
  openIn: 'Open in {name}',

  // loaded
  notLoaded: 'Bobbin can’t be reached.',
  loading: 'Loading',

  // not answered
  neverIgnored: 'There’s no record of this message: it was answered, it never arrived, or it’s too old.',
  noneIgnored: 'Every recent message was answered.',
  ignoredCut: 'There may be more. These are the latest {most}. Others are found by their ID or link.',
  messageHint: 'Message ID or link',
  ignoredIntro: 'Messages that the bot saw but didn’t answer. Their text isn’t kept.',
  why: 'Why?',

  // shortcuts
  keyboard: 'Keyboard',

  // sidebar
  threadsWaiting: '{count, plural, one {A thread is waiting for you} other {# threads are waiting for you}}',
  colours: 'Colours: {theme, select, light {light} dark {dark} other {as the system}}',
  changeColours: 'Change the colours (now: {theme, select, light {light} dark {dark} other {as the system}})',
  nameHint: 'Who you are here',
  shortcutsHint: 'Keyboard shortcuts (?)',
  shortcutsTitle: 'Keyboard shortcuts',
  yourName: 'Your name',
  signOut: 'Sign out',
  trust: 'Trust',
  notAnswered: 'Not answered',

  // thread menu
  deletesWithFiles: 'This deletes the thread for good: its messages, alarms, approvals and files.',
  deletesWithoutFiles: 'This deletes the thread for good: its messages, alarms and approvals. It has no files.',
  deletesWithCount:
    'This deletes the thread for good: its messages, alarms and approvals, and {count, plural, one {# file} other {# files}} ({size}).',
  deleteTitle: 'Delete “{title}”?',
  pin: 'Pin',
  unpin: 'Unpin',
  archive: 'Archive',
  threadNamed: 'Thread {title}',
  threadDeleted: 'The thread and its files were deleted.',
  title: 'Title',
  rename: 'Rename',
  deleteThread: 'Delete the thread',
  delete: 'Delete',
  chatMessagesStay: 'The messages in the chat itself stay.',
  zipFormat: 'Markdown with files (zip)',
  archiveHint: 'A new message brings it back',
  deleteMenu: 'Delete…',
  unarchive: 'Take out of the archive',
  exportAs: 'Export as {name}',
  threadMenuHint: 'Rename, pin, archive, export, delete',
  threadActions: 'Thread actions',

  // thread search
  threads: 'Threads',
  searchThreads: 'Search threads',
  noThreads: 'No threads with “{words}”.',
  searchResults: 'Search results',

  // trust audit
  checkingLog: 'Reading the whole log…',
  checkAgain: 'Check again',
  chainBrokenEntry: 'The log is broken at entry {seq}.',
  chainIntact: 'The log is intact: {count, plural, one {# entry} other {# entries}}.',
  headHash: 'Hash of the last entry: {head}',
  openThreadOfEntry: 'Open the thread',
  noEntries: 'The log has no entries of this kind.',
  log: 'Log',
  kind: 'Kind',
  who: 'Who',
  what: 'What',
  auditIntro: 'Every request, decision, grant, refusal and call. Entries are never changed or removed.',
  show: 'Show',
  newer: 'Newer',
  older: 'Older',

  // trust grants
  revoke: 'Revoke',
  revokeGrant: 'Revoke this grant?',
  yesRevoke: 'Yes, revoke',
  keep: 'Keep',
  allowed: 'Allowed',
  tool: 'Tool',
  givenBy: 'Given by',
  used: 'Used',
  noGrants: 'Nothing yet. Answering a request with “Always…” adds to this list.',
  until: 'Until',
  currentGrants: 'Grants in force',
  grantsIntro: 'What people have allowed the bot to do without asking.',
  endedGrants: 'Grants that have ended',
  endedGrantsCount: 'No longer in force ({count})',
  ended: 'Ended',

  // trust waiting
  approvalTitle: 'May I use {tool_name}?',
  nothingWaiting: 'Nothing is waiting for anyone.',
  waitingIntro: 'Approvals and questions from all threads, oldest first.',
  waitingCut: 'There are more. These are the {most} that have waited longest.',

  // warning
  warning: 'Warning',

  // drafts
  folderNotAttached: '{name} is a folder. Attach the files in it instead.',
  tooManyFiles:
    'A message can have {most, plural, one {# file} other {# files}}. {left, plural, one {One file was} other {# files were}} not attached.',

  // grant words
  allowsClosed:
    'Allows every command and script in this thread until the end of tomorrow. They run in the closed sandbox: they can read this thread’s files and write only to outputs/ and temp/, and they have no network. I still ask when a rule says so (such as for rm -rf or pip install).',
  allowsMatching:
    '{patterns, plural, one {Allows every later call that fits this.} other {Allows every later call whose every part fits one of these or is allowed anyway.}} * stands for any text, including several words.{runs, plural, =0 {} other { It ends when a file that it runs changes.}}',
  allowsExactly:
    'Allows exactly this call and nothing else.{runs, plural, =0 {} other { It ends when a file that it runs changes.}}',

  // keyboard
  keyNewLine: 'New line',
  keySend: 'Send the message',
  keyMention: 'Mention a tool, mention a file',
  keyCommand: 'Write a message; at its start, a command',
  keyNextThread: 'Next, previous thread',
  keyPanel: 'Show or hide plan, files and context',
  keyFiles: 'Open the thread’s files',
  keyStop: 'Stop the running turn',
  keyHelp: 'Show this list',
  escapeAgain: 'Press Esc again to stop the turn.',

  // state
  notReachable: 'Bobbin can’t be reached. Is it running?',

  // trust words
  kindMoved: 'Reassigned or asked again',

  // thread links
  stateRunning: 'running',
  stateWaiting: 'waiting for you',
  stateIdle: 'idle',
  isPinned: 'pinned',
}
