import fc from 'fast-check'
import { anyCommand } from '../grammar.ts'

/** What must never run: nothing in a generated line means to run it plainly. */
const hidden = ['mark', 'rm -rf uploads', 'echo x > uploads/planted']

/** Mostly what is in the language, or most lines would be told apart before they are run. */
const usually = (good: string[], odd: string[]): fc.Arbitrary<string> =>
  fc.oneof({ arbitrary: fc.constantFrom(...good), weight: 8 }, { arbitrary: fc.constantFrom(...odd), weight: 1 })

const programs = usually(
  [
    'ls pwd cat echo date whoami head tail wc grep cut sort uniq nl stat file du df basename dirname tr test sort uniq test',
    'cd find diff cmp comm paste od realpath readlink cksum sha256sum cd find find',
  ].flatMap((names) => names.split(' ')),
  ['mark', 'eval', 'if', 'time', 'A=b', '!', '[', 'xargs', 'env', '"ls"', 'l\\s'],
)

const words = usually(
  [
    ...[
      'a',
      'uploads/a.txt',
      'b.csv',
      '-',
      '--',
      '5',
      'x=y',
      '+1',
      '%s',
      '@',
      'a:b',
      ',',
      'uploads/../b.csv',
      'outputs/w',
    ],
    ...[
      '-n',
      '-r',
      '-o',
      '-ro',
      '-c',
      '-f',
      '-f1',
      '-t',
      '-k2',
      '-d',
      '-v',
      '-s',
      '-u',
      '-C',
      '-e',
      '-a',
      '-eq',
      '-lt',
    ],
    ...[
      '--output=uploads/a.txt',
      '--outp',
      '--compress-program=mark',
      '--set=x',
      '--sync',
      '--sy',
      '--files0-from=a',
      '-T',
      '-w10',
    ],
    ...['-delete', '-delete', '-fprint', '-name', '-l', '..', 'uploads'],
    ...['*', '?', 'u*', '[a-c]*', '-*', "''*", 'uploads/*', '*.csv', 'a[0]', '[', ']', '[[:alpha:]]'],
    ...[
      "''",
      '""',
      "'a b'",
      '"a b"',
      "'$(mark)'",
      "'`mark`'",
      "'a[$(mark)]'",
      '"a;b"',
      "'#'",
      "'\\'",
      "'!'",
      '"é"',
      'é',
    ],
  ],
  ['[!a]', '[^a]', '"$(mark)"', '$x', '\\a', '~', 'a#', '#', '{a,b}', '"a!"'],
)

const redirections = usually(
  [
    '> outputs/o',
    '>> temp/t',
    '2>/dev/null',
    '2>&1',
    '>&2',
    '< uploads/a.txt',
    '2> outputs/e',
    '> "outputs/a b"',
    '>outputs/o',
    '1>outputs/o',
    '< /dev/null',
  ],
  [
    ...[
      '> uploads/a.txt',
      '> b.csv',
      '> outputs/../b.csv',
      '> outputs/*',
      '>| outputs/o',
      '&> outputs/o',
      '<> b.csv',
      '3> x',
    ],
    ...['<&0', '>&-', '> temp/$(mark)', '<<< a', '> /tmp/x', '> temp/'],
  ],
)

const between = usually([' | ', ' && ', '; ', ';', '|', '&&'], [' || ', ' & ', '\n', ' |& ', ';;'])

const simple = fc
  .tuple(programs, fc.array(words, { maxLength: 4 }), fc.array(redirections, { maxLength: 1 }))
  .map(([program, rest, to]) => [program, ...rest, ...to].join(' '))

/** A line that is in the small language, or nearly. */
const nearlyPlain = fc
  .tuple(simple, fc.array(fc.tuple(between, simple), { maxLength: 2 }))
  .map(([first, rest]) => first + rest.flat().join(''))

/** Forms by which parsers were led astray, around a command that they would hide. */
const forms: ((inner: string) => string)[] = [
  (inner) => `"\${x-$'}$(${inner})'}"`,
  (inner) => `"\${x-$"}$(${inner})"}"`,
  (inner) => `"$\\\n$(${inner})"`,
  (inner) => `<(echo)# ; ${inner}`,
  (inner) => `$(echo)#\`${inner}\``,
  (inner) => `<<EOF\n\${x:-'\`${inner}\`'}\nEOF\n`,
  (inner) => `<<'EOF'\n$(${inner})\nEOF\n`,
  (inner) => `<<-E\n\t$(${inner})\n\tE\n${inner}`,
  (inner) => `<<E\\\nF\n$(${inner})\nEF\n`,
  (inner) => `\\\n${inner}`,
  (inner) => ` \\\n; ${inner}`,
  (inner) => `"\\"$(${inner})"`,
  (inner) => `'\\'$(${inner})''`,
  (inner) => `$'\\''; ${inner} #'`,
  (inner) => `# ' \n${inner}`,
  (inner) => `a#; ${inner}`,
  (inner) => `"'"; ${inner}; "'"`,
  (inner) => `'"'; ${inner}; '"'`,
  (inner) => `{a,$(${inner})}`,
  (inner) => `$((a[\`${inner}\`]))`,
  (inner) => `>(${inner})`,
  (inner) => `> >(${inner})`,
  (inner) => `[$(${inner})]`,
  (inner) => `"a"'b'\`${inner}\``,
  (inner) => `& ${inner}`,
  (inner) => `\n${inner}`,
  (inner) => `\r\n${inner}`,
  (inner) => `| ${inner}`,
]

const form = fc.tuple(fc.constantFrom(...forms), fc.constantFrom(...hidden)).map(([around, inner]) => around(inner))

const marks = fc.oneof(
  { weight: 4, arbitrary: form },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...'"\'$(){}\\`\n#!;|&<> \t[]=*?~^%:@+-,/.0129'.split(''),
      ...['$(', '${', "$'", '$"', '<<', '<(', '((', '`mark`', '$(mark)', ';mark', '\\\n', '\r', '&&', '||', '2>', '>&'],
      ...[
        '\u00a0',
        '\u2028',
        '\u0085',
        '\u200b',
        '\u3000',
        '\u0001',
        '\u007f',
        '\u001b',
        '\ufeff',
        '\uff1b',
        '\ud800',
        'à',
      ],
    ),
  },
)

/** The same with something put in, taken out or put in its place. */
const mutated = fc
  .tuple(nearlyPlain, fc.array(fc.tuple(fc.nat(), fc.nat(2), marks), { minLength: 1, maxLength: 2 }))
  .map(([text, edits]) =>
    edits.reduce((now, [place, kind, mark]) => {
      const at = place % (now.length + 1)
      return now.slice(0, at) + (kind === 1 ? '' : mark) + now.slice(kind === 0 ? at : at + 1)
    }, text),
  )

const renamed: Record<string, string> = { alpha: 'cat', beta: 'echo', gamma: 'sort', delta: 'head', fails: 'test' }

/** Bash's own grammar, with programs that may run unasked in the place of others. */
const nested = anyCommand.map((text) => text.replace(/alpha|beta|gamma|delta|fails/g, (name) => renamed[name] ?? name))

/** A line with some word of it in one of the forms. */
const deceiving = fc.tuple(simple, form, simple).map(([before, inner, after]) => `${before} ${inner} ${after}`)

const anyLine = fc.oneof(
  { arbitrary: nearlyPlain, weight: 8 },
  { arbitrary: mutated, weight: 5 },
  { arbitrary: nested, weight: 2 },
  { arbitrary: deceiving, weight: 2 },
)

/** The same seed gives the same lines. */
export const linesFrom = (seed: number, count: number): string[] =>
  // No command is empty, and the system gives no program an argument with a zero in it.
  fc.sample(anyLine, { seed, numRuns: count }).filter((line) => line !== '' && !line.includes('\u0000'))
