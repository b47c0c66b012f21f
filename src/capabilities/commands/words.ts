import { catalogue } from '../../kit/words/catalogue.ts'

/** What people read about commands and scripts: what the doctor says of the sandbox. */
export const commandsWords = catalogue({
  // titles of calls
  running: 'Running {command}',
  runningScript: 'Running a {language} script',

  noSandbox: 'There is no sandbox, and sandbox.required is false.',
  inBubblewrap: 'Commands and scripts run in bubblewrap {version}.',
  bothLimitedBy: 'Memory and processes are limited by {keeper}.',
  memoryThenProcesses: 'Memory is limited by {memory}, processes by {processes}.',
  noPython: 'There is no Python for scripts.',
  installPython: 'Install it for the whole system (apt install python3).',
  doesNotStopEverything: 'The sandbox doesn’t stop everything.',
  refused: '{why} Commands and scripts are refused.',
  controlGroup: 'a control group',
  watcher: 'a watcher that checks several times a second',
  nothing: 'nothing',
})
