import type { CommandPlan, Invocation } from '../../../kit/shell/plan-types.ts'

/**
 * Programs that do what their arguments say, and look for no settings, plug-ins or rules where they run: the whole of such a
 * command is on the card. HOME is empty, so what others read there does not matter. A program that is missing here is asked
 * each time; one that stands here wrongly could be made to run what nobody was shown.
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
    // The parser looks into what these are given to run.
    'awk bash command env eval exec gawk jq mawk nice nohup sed sh source timeout .',
  ].flatMap((line) => line.split(' ')),
)

const isSystems = ({ as, program }: Invocation): boolean =>
  as === program || /^\/(usr\/)?(local\/)?s?bin\/[^/]+$/.test(as)

/** What is run by its path in the workspace is bound and shown by itself. */
const isBound = ({ as }: Invocation): boolean => as.includes('/') && /^(?!\/(?!workspace\/))/.test(as)

/** Options of Python after which it is still kept apart from the folder that it runs in. */
const pythonOptions = /^(-[cuBPIsSv]+|-V|--version|-h|--help|-W.*)$/

/** Run on a script or with its text, Python finds nothing beside it. Other options, and settings of its own, may change that. */
function isIsolatedPython({ program, args, assigns }: Invocation, text: string): boolean {
  if (changesSettings.test(text)) return false
  if (!/^python[\d.]*$/.test(program) || assigns.length > 0) return false
  const first = args.findIndex((arg) => arg === undefined || !arg.startsWith('-'))
  const options = first === -1 ? args : args.slice(0, first)
  return options.every((option) => option !== undefined && pythonOptions.test(option))
}

/** What can take Python's settings away, wherever it stands. */
const changesSettings = /\b(PYTHON\w*|env|unset|export|declare|typeset|exec|readonly|set)\b/

/** Programs look for their settings where these lead. */
const movesHome = /\b(HOME|XDG_\w+|CURL_HOME|WGETRC|TAR_OPTIONS|GREP_OPTIONS)\b\+?=/

/** What the programs of a command line may run or read that is on no card. */
export function unseenIn({ invocations }: CommandPlan, text: string): string[] {
  const hidden = invocations.filter((one) => {
    if (one.program === '' || isBound(one)) return false
    return !isSystems(one) || !(plain.has(one.program) || isIsolatedPython(one, text))
  })
  const names = hidden.map(({ program }) => program)
  return [
    ...[...new Set(names)].map((name) => `${name} may run or read files and settings beside what is shown`),
    ...(movesHome.test(text) ? ['it changes where programs look for their settings'] : []),
  ]
}
