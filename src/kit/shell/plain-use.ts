import type { PlainWord } from './plan-types.ts'

/**
 * Whatever their options and operands, these only read and print (GNU coreutils 9, GNU diffutils 3, GNU grep 3, bash's
 * builtins).
 */
const readers = new Set(
  [
    'ls pwd cat echo whoami head tail wc grep cut paste nl od cmp comm stat du basename dirname realpath readlink tr',
    'cksum md5sum sha1sum sha256sum sha512sum',
  ].flatMap((names) => names.split(' ')),
)

/** Whether all of an option's or operand's words are known and it only reads and prints. */
type Check = (words: PlainWord[]) => boolean

/** Programs that can do more, with the options that don't. Nothing else may look like an option, even after `--`. */
const careful: Record<string, Check> = {
  // -o writes, --compress-program runs a program, -T and --files0-from read or write elsewhere.
  sort: (words) =>
    onlyOptions(
      words,
      /^-(?:[bdfgiMhnRrVcCmsuz]*(?:k[0-9.,bdfgiMhnRrV]*|t.?)?|-(?:reverse|unique|numeric-sort|human-numeric-sort|general-numeric-sort|version-sort|month-sort|ignore-case|ignore-leading-blanks|dictionary-order|stable|check|key=[0-9.,bdfgiMhnRrV]+|field-separator=.))$/,
    ),
  // The second operand is written to.
  uniq: (words) => {
    const rest = withoutValues(words, /^-[cdDuiz]*[fsw]$/, /^\d+$/)
    const operands = rest.filter(({ value }) => value === '-' || !value.startsWith('-'))
    const fitting =
      /^-(?:[cdDuiz]*(?:[fsw]\d*)?|-(?:count|repeated|unique|ignore-case|(?:skip-fields|skip-chars|check-chars)=\d+))$/
    return isLiteral(words) && operands.length <= 1 && onlyOptions(words, fitting)
  },
  // -C writes, -m and -f read instructions, -z runs other programs.
  file: (words) =>
    onlyOptions(
      words,
      /^-(?:[bihLkNnEr]+|-(?:brief|mime|mime-type|mime-encoding|extension|dereference|no-dereference|keep-going|no-pad|raw))$/,
    ),
  // -s, or an operand without +, sets the clock.
  date: (words) => {
    const fitting =
      /^(?:\+.*|-[uR]+|-I[a-z]*|-[dr].*|--(?:utc|universal|rfc-email|rfc-3339=[a-z]+|iso-8601(?:=[a-z]+)?|(?:date|reference)=.*))$/s
    return isLiteral(words) && withoutValues(words, /^-[dr]$/, /^/).every(({ value }) => fitting.test(value))
  },
  // --sync has the system write everything to its disks.
  df: (words) =>
    words.every(({ value, expands }) => expands !== 'to anything' && (value.length < 3 || !'--sync'.startsWith(value))),
  // Elsewhere, the paths behind it would hide from rules what they read.
  cd: ([word, ...others]) => {
    const { value, expands } = word ?? { value: '', expands: 'no' }
    const isInside = /^(?:[^/-]|\/workspace(?:\/|$))/.test(value) && !value.split('/').includes('..')
    return isInside && expands === 'no' && others.length === 0
  },
  // -l runs `pr`.
  diff: (words) =>
    onlyOptions(
      words,
      /^-(?:[abBcdeEiNnpqrstTuwyZ]*(?:[CUW]\d*|[FIx].*)?|-(?:brief|color(?:=[a-z]+)?|exclude=.*|ignore-all-space|ignore-blank-lines|ignore-case|ignore-space-change|minimal|new-file|recursive|report-identical-files|side-by-side|strip-trailing-cr|suppress-common-lines|text|(?:context|unified)(?:=\d+)?|width=\d+))$/,
    ),
  // -exec and -ok run programs, -delete removes files, -fprint and -fls write. No option is abbreviated.
  find: (words) =>
    onlyOptions(
      words,
      /^-(?:[HLPao]|\d+[bcwkMG]?|and|or|not|depth|maxdepth|mindepth|mount|xdev|follow|prune|quit|true|false|daystart|noleaf|i?l?name|i?path|i?wholename|i?regex|regextype|x?type|size|empty|perm|user|group|[ug]id|nouser|nogroup|inum|links|samefile|fstype|[ac]?newer|newer[aBcm][aBcmt]|[acm]min|[acm]time|used|readable|writable|executable|print0?|printf|ls)$/,
    ),
  // -v and -R evaluate the subscript of an array, which may contain a command.
  test: (words) =>
    isLiteral(words) && onlyOptions(words, /^-(?:\d+|[abcdefghknoprstuwxzGLNOS]|eq|ne|lt|le|gt|ge|nt|ot|ef)$/),
}

const isLiteral = (words: PlainWord[]): boolean => words.every(({ expands }) => expands === 'no')

/** Without the words that getopt takes as the value of the option before them. */
const withoutValues = (words: PlainWord[], option: RegExp, value: RegExp): PlainWord[] => {
  let isValue = false
  return words.filter((word) => {
    const isKept = !(isValue && value.test(word.value))
    isValue = !isValue && option.test(word.value)
    return isKept
  })
}

/** Everything that looks like an option is one of these, and no file name can become one. */
const onlyOptions = (words: PlainWord[], fitting: RegExp): boolean =>
  words.every(({ value, expands }) => expands !== 'to anything' && (!value.startsWith('-') || fitting.test(value)))

/** Whether a program, called this way, only reads and prints. For unknown programs, no glob may become an option. */
export function isPlainUse(program: string, words: PlainWord[]): boolean {
  if (readers.has(program)) return true
  const check = Object.hasOwn(careful, program) ? careful[program] : undefined
  return check?.(words) ?? words.every(({ expands }) => expands !== 'to anything')
}
