import { fromInput } from './input.ts'
import { has, optionValue, readOptions } from './options.ts'
import { optionsByName } from './options-by-name.ts'
import { type ProgramReader, runsFile, type Scope, unclear } from './scope.ts'
import { shellText } from './shell-text.ts'
import { mayBeOption, type ShellWord } from './shell-word.ts'

const runningConfig =
  /^(?:alias\.|core\.(?:pager|editor|sshcommand|askpass|fsmonitor|hookspath|gitproxy|alternaterefscommand|worktree|attributesfile)|diff\..*(?:command|textconv)|diff\.external|difftool\.|mergetool\.|merge\..*driver|filter\.|credential\.|gpg\.|pager\.|sequence\.editor|include\.|includeif\.|init\.templatedir|protocol\.|remote\..*\.(?:uploadpack|receivepack|vcs|proxy)|sendemail\.|browser\.|man\.|help\.|instaweb\.|interactive\.difffilter|uploadpack\.|url\.|http\.|trailer\.|tar\.|web\.|submodule\..*update)/i

const riskySubcommands = new Set(
  'fetch pull clone push ls-remote grep rebase bisect submodule difftool mergetool archive filter-branch config send-email help remote-ext'.split(
    ' ',
  ),
)

const git: ProgramReader = (call, scope) => {
  const words = call.words.slice(1)
  const read = readOptions(words, {
    short: 'cC',
    long: ['--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env', '--super-prefix', '--attr-source'],
  })
  const setting = read.options.find(
    ({ name, value }) => name === '-c' && (value?.value === undefined || runningConfig.test(value.value)),
  )
  if (setting) unclear(scope, `the setting ${setting.value?.source ?? ''} may make git run a program`)
  if (has(read, '--config-env', '--exec-path')) unclear(scope, 'an option of git says which programs it runs')
  if (
    has(read, '--git-dir', '--work-tree', '-C') &&
    read.options.some(({ name, value }) => name !== '-c' && value && value.value === undefined)
  ) {
    unclear(scope, 'the repository that git works on is computed')
  }
  const [command, ...rest] = read.operands
  if (!command) return undefined
  if (command.value === undefined) unclear(scope, 'what git does is computed')
  gitSubcommand(command.value ?? '', rest, scope, call)
  return undefined
}

function gitSubcommand(command: string, rest: ShellWord[], scope: Scope, call: Parameters<ProgramReader>[0]) {
  const values = rest.map(({ value }) => value ?? '')
  if (riskySubcommands.has(command) && rest.some((word) => word.value === undefined && mayBeOption(word))) {
    unclear(scope, `an argument of git ${command} is computed and may be an option`)
  }
  const risky = values.find((value) =>
    /^--(?:upload-pack|receive-pack|exec|ext-diff|textconv|extcmd|open-files-in-pager|config|template|smtp-server|sendmail-cmd|to-cmd|cc-cmd|tree-filter|index-filter|msg-filter|env-filter|commit-filter|parent-filter|tag-name-filter|setup)(?:=|$)/.test(
      value,
    ),
  )
  if (risky) unclear(scope, `${risky.split('=')[0]} makes git ${command} run a program`)
  const short: Record<string, RegExp> = {
    clone: /^-[a-z]*[uc]/,
    grep: /^-[a-zA-Z]*O/,
    rebase: /^-[a-z]*x/,
    difftool: /^-[a-z]*x/,
    'ls-remote': /^-u/,
  }
  const letter = Object.hasOwn(short, command) ? values.find((value) => short[command]?.test(value)) : undefined
  if (letter) unclear(scope, `${letter} makes git ${command} run a program`)
  if (values.some((value) => /^(?:ext|fd)::/.test(value))) unclear(scope, 'an ext:: address makes git run a program')
  if (command === 'bisect' && values[0] === 'run') scope.call({ words: rest.slice(1), assigns: [], input: call.input })
  if (command === 'submodule' && values.includes('foreach')) {
    shellText(
      rest.slice(values.indexOf('foreach') + 1).filter(({ value }) => !value?.startsWith('--')),
      call,
      scope,
      'git submodule foreach',
    )
  }
  if (/^(?:filter-branch|instaweb|mergetool|difftool)$/.test(command))
    unclear(scope, `git ${command} runs other programs`)
  if (command === 'config' && !values.some((value) => /^(?:--get|--list|-l|list|get|--get-all|--unset)/.test(value))) {
    const key = values.find((value) => !value.startsWith('-') && value !== 'set')
    if (!key || runningConfig.test(key)) unclear(scope, 'this setting may make git run a program')
  }
  if (!knownGit.test(command) && command !== '')
    unclear(scope, `git ${command} is an alias or an addition that is not known`)
}

const knownGit =
  /^(?:add|am|annotate|apply|archive|bisect|blame|branch|bundle|cat-file|check-attr|check-ignore|checkout|cherry|cherry-pick|clean|clone|commit|config|count-objects|describe|diff|diff-files|diff-index|diff-tree|difftool|fetch|filter-branch|for-each-ref|format-patch|fsck|gc|grep|hash-object|help|init|instaweb|lfs|log|ls-files|ls-remote|ls-tree|maintenance|merge|merge-base|mergetool|mv|name-rev|notes|prune|pull|push|range-diff|read-tree|rebase|reflog|remote|repack|replace|request-pull|rerere|reset|restore|rev-list|rev-parse|revert|rm|send-email|shortlog|show|show-branch|show-ref|sparse-checkout|stash|status|submodule|switch|symbolic-ref|tag|update-index|update-ref|var|version|whatchanged|worktree|write-tree|commit-tree|mktree|verify-commit|verify-tag|fast-export|fast-import|stripspace|interpret-trailers|column|credential|citool|gui)$/

const sed: ProgramReader = (call, scope, program, code) => {
  optionsByName(call, scope, program, code)
  const read = readOptions(call.words.slice(1), {
    short: 'efl',
    glued: 'i',
    long: ['--expression', '--file', '--line-length'],
    mixed: true,
  })
  const expressions = read.options.filter(({ name }) => ['-e', '--expression'].includes(name)).map(({ value }) => value)
  const filed = read.options.filter(({ name }) => ['-f', '--file'].includes(name))
  const isContained = has(read, '--sandbox')
  for (const { value } of filed) {
    if (value?.value !== '-') runsFile(scope, value?.value, program)
    else if (!isContained) fromInput(call, scope, program, (text) => sedText(text, scope, program))
  }
  const texts = expressions.length + filed.length > 0 ? expressions : read.operands.slice(0, 1)
  if (!isContained) for (const text of texts) sedText(text?.value, scope, program)
  return undefined
}

function sedText(text: string | undefined, scope: Scope, program: string) {
  if (text === undefined) unclear(scope, `the text that ${program} runs is computed`)
  else if (text.split('\n').some(sedMayRun)) unclear(scope, `the text of ${program} may run a program or write a file`)
}

const plainSubstitution = (text: string): boolean => {
  const [, delimiter] = /^(?:[0-9,$]*|\/[^/\\]*\/)\s*[sy]([^\w\s\\])/.exec(text) ?? []
  if (!delimiter) return false
  const parts = text.replace(/\\[\s\S]/g, 'Q').split(delimiter)
  const [flags] = text.startsWith('/') && delimiter === '/' ? parts.slice(4) : parts.slice(3)
  const expected = text.startsWith('/') && delimiter === '/' ? 5 : 4
  return parts.length === expected && /^[gpiI0-9]*\s*$/.test(flags ?? 'e') && !text.includes('\n')
}

/** Everything but plain substitutions, printing and deleting isn't followed. */
function sedMayRun(text: string): boolean {
  const statements = text.includes(';') && !plainSubstitution(text) ? text.split(';') : [text]
  return !statements.every((statement) => {
    const bare = statement.trim()
    return (
      bare === '' ||
      plainSubstitution(bare) ||
      /^(?:(?:[0-9]+|\$|\/[^/\\;]*\/)(?:,(?:\+?[0-9]+|\$|\/[^/\\;]*\/))?)?\s*!?[pdqQ=nNDPgGhHx]$/.test(bare)
    )
  })
}

const tar: ProgramReader = (call, scope, program, code) => {
  optionsByName(call, scope, program, code)
  const values = call.words.slice(1).map(({ value }) => value ?? '')
  const risky = values.find((value) => /^--(?:checkpoint-|to-c|us|inf|new-|rs|rm)/.test(value))
  if (risky) unclear(scope, `${risky.split('=')[0]} makes tar run a program`)
  // The first word is read as options even without a dash.
  if (call.words[1] && call.words[1].value === undefined) unclear(scope, `the options of ${program} are computed`)
  if (/^(?!-).*[IF]/.test(values[0] ?? '') || values.some((value) => /^-[^-IFfCTXbgHKLNV]*[IF]/.test(value)))
    unclear(scope, 'an option of tar makes it run a program')
  if (values.some((value) => /^[^/]*:/.test(value) && !value.startsWith('-')))
    unclear(scope, 'an archive on another machine makes tar run a program')
  return undefined
}

const editor: ProgramReader = (call, scope, program) => {
  const read = readOptions(call.words.slice(1), { short: 'cSsuiwWTt', long: ['--cmd', '--startuptime'] })
  if (has(read, '-c', '-S', '-s', '-u', '--cmd') || call.words.some(({ value }) => value?.startsWith('+'))) {
    unclear(scope, `commands given to ${program} may run programs`)
  } else if (read.operands.length > 0 || call.words.length === 1)
    unclear(scope, `${program} runs what is typed into it`)
  return undefined
}

const never =
  (reason: string): ProgramReader =>
  (call, scope, program) => {
    if (!(call.words.length === 2 && /^(?:--version|--help|-V|-v|-h)$/.test(call.words[1]?.value ?? ''))) {
      unclear(scope, `what ${program} ${reason}`)
    }
    return undefined
  }

const database: ProgramReader = (call, scope, program, code) => {
  const read = readOptions(call.words.slice(1), {
    short: program === 'psql' ? 'cfdhpUvoFPRT' : 'efhPupD',
    long: ['--command', '--execute', '--file', '--cmd', '--init'],
    mixed: true,
  })
  const given = optionValue(read, '-c', '-e', '--command', '--execute', '--cmd', '-cmd')
  if (
    call.words.some(({ value }) => /^(?:--?cmd|--?init|\s*\.[a-z])/i.test(value ?? '')) &&
    program.startsWith('sqlite')
  ) {
    unclear(scope, `a command to ${program} may run programs`)
  }
  const texts = program.startsWith('sqlite') ? [...read.operands.slice(1)] : given ? [given] : []
  for (const { value } of texts) {
    code.push({ language: 'sql', text: value })
    if (value === undefined) unclear(scope, `the text that ${program} runs is computed`)
    else if (/(?:^|\n)[^\S\n]*\.[a-z]|\\|\bprogram\b|load_extension|\bsystem\b|(?:^|[;\n])\s*source\b/i.test(value))
      unclear(scope, `the text of ${program} may run programs`)
  }
  const file = optionValue(read, '-f', '--file')
  if (file && program === 'psql') runsFile(scope, file.value, program)
  if (texts.length > 0 || file) return undefined
  if (call.input.kind === 'text') code.push({ language: 'sql', text: call.input.text })
  if (call.input.kind === 'file') runsFile(scope, call.input.path, program)
  else if (call.input.kind !== 'nothing') unclear(scope, `what ${program} reads from its input cannot be seen`)
  return undefined
}

export const tools: [string, ProgramReader][] = [
  ['git', git],
  ['sed', sed],
  ['gsed', sed],
  ['tar', tar],
  ['bsdtar', tar],
  ['gtar', tar],
  ...['rsync', 'zip', 'sort', 'split', 'scp', 'man', 'wget'].map((name): [string, ProgramReader] => [
    name,
    optionsByName,
  ]),
  ...['vi', 'vim', 'nvim', 'view', 'ex', 'ed', 'emacs', 'gvim', 'vimdiff'].map((name): [string, ProgramReader] => [
    name,
    editor,
  ]),
  ...['sqlite3', 'psql', 'mysql', 'mariadb'].map((name): [string, ProgramReader] => [name, database]),
  ...'bwrap firejail systemd-run systemd-inhibit proot setpriv prlimit numactl strace ltrace valgrind fakeroot dbus-run-session xvfb-run torsocks proxychains proxychains4 faketime unbuffer rlwrap entr at batch crontab screen tmux gdb lldb dbus-send m4 gnuplot inotifywait start-stop-daemon run-parts ld.so capsh dtach pssh socat dc'
    .split(' ')
    .map((name): [string, ProgramReader] => [name, never('runs is not followed')]),
]
