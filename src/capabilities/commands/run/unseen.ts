import type { CommandPlan, Invocation } from '../../../kit/shell/plan-types.ts'
import { isJudged } from '../../../kit/shell/variables.ts'
import { sentBy } from './sent.ts'

/**
 * Programs that do only what their arguments say, and don't look for settings, plug-ins or rules where they run, so the
 * card shows the whole command. HOME is empty, so what other programs would read there doesn't matter. A program
 * missing from this list is asked about every time; one that is wrongly on it could be made to run something nobody was
 * shown.
 */
const plain = new Set(
  [
    ': [ alias basename break cat cd chgrp chmod chown cksum cmp comm continue cp csplit curl cut date dd df diff dirname',
    'declare du echo egrep exit expand export expr factor false fgrep file find fmt fold getconf grep groups gunzip gzip head',
    'hexdump hostname id join kill link ln local logname ls md5sum mkdir mkfifo mktemp mv nl nproc numfmt od paste pathchk',
    'pgrep popd printenv printf ps pushd pwd read readlink readonly realpath return rev rm rmdir seq set sha1sum sha256sum',
    'sha512sum shift shuf sleep sort split stat strings stty sum sync tac tail tee test touch tr true truncate tsort tty type',
    'ulimit umask uname unexpand uniq unlink unset unzip uptime wait wc wget which who whoami xargs xxd yes zcat zip',
    'bunzip2 bzip2 column getopts gzip hash iconv let mapfile readarray tar tree typeset unxz xz zstd',
    'chroot doas mkfs pkexec shred su sudo wipefs',
    // The parser inspects what these are given to run.
    'awk bash command env eval exec gawk jq mawk nice nohup sed sh source timeout .',
  ].flatMap((line) => line.split(' ')),
)

const isSystems = ({ as, program }: Invocation): boolean =>
  as === program || /^\/(usr\/)?(local\/)?s?bin\/[^/]+$/.test(as)

/** What runs by its path in the workspace is bound, and shown as well. */
const isBound = ({ as }: Invocation): boolean => as.includes('/') && /^(?!\/(?!workspace\/))/.test(as)

/** Options of Python with which it still ignores the folder it runs in. */
const pythonOptions = /^(-[cuBPIsSv]+|-V|--version|-h|--help|-W.*)$/

/**
 * Run on a script or with inline code, Python reads nothing from its folder. Other options, and its own settings, can
 * change that.
 */
function isIsolatedPython({ program, args, assigns }: Invocation): boolean {
  if (!/^python[\d.]*$/.test(program) || assigns.length > 0) return false
  const first = args.findIndex((arg) => arg === undefined || !arg.startsWith('-'))
  const options = first === -1 ? args : args.slice(0, first)
  return options.every((option) => option !== undefined && pythonOptions.test(option))
}

/** What can override Python's settings, wherever it stands. */
const changesSettings = /\b(PYTHON\w*|env|unset|export|declare|typeset|exec|readonly|set)\b/

/** Its text, or its modules, are in files that aren't bound. */
const isJqWithFiles = ({ program, args, assigns }: Invocation): boolean =>
  program === 'jq' &&
  (assigns.length > 0 ||
    args.some((arg) => arg === undefined || /^-\w*[fL]|^--(?:from|library)|\b(?:import|include)\b/.test(arg)))

/** Variables that tell programs where to look for their settings. */
const movesHome = /\b(HOME|XDG_\w+|CURL_HOME|\w*WGETRC|TAR_OPTIONS|GREP_OPTIONS)\b\+?=/

/** Names that no program takes for options, or for a place to look for code. */
const plainVariable =
  /^(?:[a-z]\w*|[A-Z_]|LC_[A-Z]+|LANG|LANGUAGE|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR\w*|COLUMNS|LINES|TMPDIR|CI|DEBUG|VERBOSE|QUIET|NODE_ENV)$/

/** What may name a file, code or options even by a number. */
const power = /OPT|FLAG|ARGS?$|PATH|FILE|DIR|CONF|RC$|HOME|ALIAS|MAGIC|LIB|LOAD|EXEC|COMMAND|CMD|PROG|ZIP|DEFAULT/

/** The variables that programs get from this one. */
function exported({ program, args, assigns: all, numbers = [], text }: Invocation): string[] {
  const assigns = all.filter((name) => power.test(name) || !numbers.includes(name))
  const isExport = program === 'export' || args.some((arg) => /^-\w*x/.test(arg ?? ''))
  if (!/^(?:export|declare|typeset|local|readonly)$/.test(program) || !isExport) return assigns
  const given = [...text.matchAll(/(?:^|\s)'?([A-Za-z_]\w*)(?=\+?=)/g)].map(([, name = '']) => name)
  return [...assigns, ...given, ...args.filter((arg) => arg !== undefined && /^[A-Za-z_]\w*$/.test(arg))] as string[]
}

const exportsAll = ({ program, args }: Invocation): boolean =>
  program === 'set' &&
  args
    .slice(0, args.includes('--') ? args.indexOf('--') : undefined)
    .some((arg) => arg === 'allexport' || /^-[A-Za-z]*a/.test(arg ?? ''))

/** What the programs of a command line may run or read without it being on the card. */
export function unseenIn({ invocations }: CommandPlan, text: string): string[] {
  // Once for the whole text, however many programs it runs.
  const isAsSet = !changesSettings.test(text)
  const hidden = invocations.filter((one) => {
    if (one.program === '' || isBound(one)) return false
    if (isJqWithFiles(one)) return true
    return !isSystems(one) || !(plain.has(one.program) || (isAsSet && isIsolatedPython(one)))
  })
  const names = hidden.map(({ program }) => program)
  const variables = invocations.flatMap(exported).filter((name) => !plainVariable.test(name) && !isJudged(name))
  return [
    ...[...new Set(names)].map((name) => `${name} may run or read files and settings beside what is shown`),
    ...[...new Set(variables)].map((name) => `${name} may tell programs what to run or read`),
    ...(invocations.some(exportsAll) ? ['every variable may tell programs what to run or read'] : []),
    ...new Set(invocations.flatMap(sentBy)),
    ...(movesHome.test(text) ? ['it changes where programs look for their settings'] : []),
  ]
}
