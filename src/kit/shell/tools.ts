import { database } from './database.ts'
import { has, readOptions } from './options.ts'
import { optionsByName } from './options-by-name.ts'
import { type ProgramReader, type Scope, unclear } from './scope.ts'
import { sed } from './sed.ts'
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
