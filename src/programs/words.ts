import { catalogue } from '../kit/words/catalogue.ts'

/** How a program ended. The model reads it, and whoever opens the call. */
export const programsWords = catalogue({
  exitCode: 'Exit code {code}, {seconds} s',
  stoppedForTime: 'It was stopped after {seconds} s: it ran out of time. Ask for less at once.',
  tooMuchOutput: 'It was stopped after {seconds} s: it printed too much. Write to a file instead.',
  stoppedForMemory: 'It was stopped after {seconds} s: it used too much memory.',
  stoppedForProcesses: 'It was stopped after {seconds} s: it started too many processes.',
  stoppedForDisk:
    'It was stopped after {seconds} s: the disk that holds Bobbin’s data is nearly full. If you wrote little, tell people: whoever runs the bot has to make room.',
  endedBySignal: 'It was stopped by {signal} after {seconds} s.',
  endedByASignal: 'It was stopped by a signal after {seconds} s.',
  hostRefused: 'It wasn’t allowed to reach {host}: {why}',
  noDirectory: 'There is no directory {path}.',
  noDirectoryRemedy: 'Leave `directory` out, or make it first.',

  // The workspace is full.
  stoppedFull: 'It was stopped: this thread’s workspace is full. A command that only removes files isn’t stopped.',
  stillFull:
    'This thread’s workspace holds more than there is room for. Remove files from it with a command (until then, no command can write to files), or ask a person to start a new thread, or to write `reset`, which empties temp/; whoever runs the bot can raise uploads.workspace_bytes and uploads.workspace_files.',
  wasFull: 'This thread’s workspace was full, so this couldn’t write to files. There is room again.',

  // What it left in outputs/ that isn't posted.
  notPosted:
    '{what}{more, plural, =0 {} other { and # more}} can’t be posted with your answer. Copy each to a short path, as a plain file that has a plain name and can be read.',
  whyNotPosted:
    '{path} ({why, select, link {a link} hardLink {a hard link} special {not a file} name {its name} path {its long path} other {nobody may read it}})',

  // What the sandbox kept it from.
  writesOnlyTo:
    'Commands can write only to uploads/, outputs/ and temp/. The rest of the workspace is read-only, even after an approval.',
  lackedPlaces:
    'This ran in the closed sandbox, because nobody approved exactly this call: it can write only to outputs/ and temp/{lacks, select, network {, and it has no network} limits {, and its limits are tighter} both {, it has no network, and its limits are tighter} other {}}. Write to outputs/ instead, or, if it must be there, call it again with needs: {needs}; a person will be asked.',
  noHost:
    'It has no network, and an approval wouldn’t give it any: no rule names a host for this command. Whoever runs the bot can add `hosts` to a rule.',
  lackedMore:
    'This ran in the closed sandbox, because nobody approved exactly this call: {lacks, select, network {it has no network} limits {its limits are tighter} other {it has no network, and its limits are tighter}}. If it needs more, call it again with needs: {needs}; a person will be asked.',
})
