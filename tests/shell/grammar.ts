import fc from 'fast-check'

/** Programs that only say that they ran. `fails` fails, and `alpha` prints the names of two others. */
export const stubs = ['alpha', 'beta', 'gamma', 'delta', 'fails']

const name = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'fails')
const letters = fc.constantFrom(
  'a',
  'b c',
  'x',
  '-n',
  '7',
  '',
  'gamma',
  '$X',
  '*',
  "it's",
  'a;b',
  '#',
  '{a,b}',
  '~',
  '\\',
  '`',
  '!',
  '"',
  'a=b',
)

const inSingle = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const inDouble = (text: string): string => `"${text.replace(/[\\"$`]/g, '\\$&')}"`
const inAnsi = (text: string): string =>
  `$'${text.replace(/[\\']/g, '\\$&').replace('a', '\\x61').replace(' ', '\\t')}'`
const escaped = (text: string): string => (text === '' ? "''" : text.replace(/[^A-Za-z0-9]/g, '\\$&'))

const quoting = fc.constantFrom(inSingle, inDouble, inAnsi, escaped)

/** A word that bash takes as it is, in one of many spellings. */
const literalWord = fc
  .array(fc.tuple(letters, quoting), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.map(([text, quote]) => quote(text)).join(''))

const respelled = (word: string): fc.Arbitrary<string> =>
  fc.constantFrom(
    word,
    `\\${word}`,
    `'${word}'`,
    `"${word}"`,
    `${word[0]}''${word.slice(1)}`,
    `$'\\x${word.charCodeAt(0).toString(16)}'${word.slice(1)}`,
    `${word[0]}\\\n${word.slice(1)}`,
    `${word[0]}"${word.slice(1)}"`,
  )

const programName = name.chain(respelled)

/** A pipeline of which every word is literal. */
export const literalPipeline = fc
  .array(fc.tuple(programName, fc.array(literalWord, { maxLength: 3 })), { minLength: 1, maxLength: 3 })
  .map((commands) => commands.map(([program, words]) => [program, ...words].join(' ')).join(' | '))

const { command } = fc.letrec<{ command: string; simple: string; word: string; list: string }>((tie) => ({
  word: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'shell' },
    literalWord,
    fc.constantFrom(
      '$X',
      '"$X"',
      '${X}',
      '"${Y:-z}"',
      '*',
      'f?',
      '~',
      '{a,b}',
      '$((1+2))',
      '$#',
      '"$@"',
      '[',
      ']',
      '}',
      'if',
      '-c',
      '--',
    ),
    tie('list').map((list) => `$(${list})`),
    tie('list').map((list) => `"$( ${list} )"`),
    tie('simple').map((simple) => `\`${simple.replace(/[\\`$]/g, '\\$&')}\``),
    tie('list').map((list) => `<(${list})`),
    tie('list').map((list) => `"\${Y:-$(${list})}"`),
    tie('list').map((list) => `\${Y:=a$(${list})}`),
    tie('list').map((list) => `$(( 1 + $(${list}; echo 1) ))`),
    tie('list').map((list) => `a"b$(${list})"'c'`),
  ),
  simple: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'shell' },
    fc
      .tuple(programName, fc.array(tie('word'), { maxLength: 2 }))
      .map(([program, words]) => [program, ...words].join(' ')),
    fc.tuple(programName, literalWord).map((words) => words.join(' ')),
    fc
      .tuple(
        fc.constantFrom(
          'env',
          'env -i PATH="$PATH"',
          'env -u Z A=b',
          'nice',
          'nice -n 5',
          'timeout 5',
          'timeout -k 1 5',
          'timeout --kill-a 1 5',
          'command',
          'builtin command',
          'exec',
          'nohup',
          'stdbuf -o L',
          'time',
          'time -p',
          '! ',
          'X=1',
          'X=gamma Y=',
          'setsid -w',
          'coproc',
          'xargs',
          'xargs -I% -n1',
          'xargs -r',
          'env --',
          'env -S',
          'nice -n 5 env A=b timeout 5',
        ),
        tie('simple'),
      )
      .map(([wrapper, inner]) => `${wrapper} ${inner}`),
    tie('simple').map((inner) => `find . -maxdepth 0 -exec ${inner} {} \\;`),
    tie('list').map((list) => `eval ${inSingle(list)}`),
    tie('list').map((list) => `eval ${list}`),
    tie('list').map((list) => `bash -c ${inDouble(list)}`),
    tie('list').map((list) => `bash -ec ${inSingle(list)} gamma alpha`),
    tie('list').map((list) => `trap ${inSingle(list)} EXIT`),
    tie('list').map((list) => `bash <<'END'\n${list}\nEND\n`),
    tie('list').map((list) => `bash <<END\n${list}\nEND\n`),
    tie('list').map((list) => `cat <<-END\n\t$(${list})\n\tEND\n`),
    tie('word').map((word) => `cat <<< ${word}`),
    tie('word').map((word) => `bash <<< ${word}`),
    tie('word').map((word) => `X=${word}`),
    tie('word').map((word) => `A[$(fails)]=${word}`),
    tie('word').map((word) => `A=(${word} b)`),
    tie('list').map((list) => `X=${inSingle(`B[$(${list})]`)}; A=([X]=1)`),
    tie('list').map((list) => `X=${inSingle(`B[$(${list})]`)}; declare 'A[X]=1'`),
    tie('list').map((list) => `declare -a A=${inSingle(`($(${list}))`)}`),
    tie('list').map((list) => `A=(b); declare A=${inSingle(`($(${list}))`)}`),
    tie('list').map((list) => `OPTIND=${inSingle(`B[$(${list})]`)}`),
    tie('word').map((word) => `${word} x`),
    tie('list').map((list) => `echo ${inSingle(list)} | bash`),
    fc
      .tuple(
        tie('simple'),
        fc.constantFrom('> f1', '2>&1', '< f2', '>| f3', '&> f1', '3<> f2', '{v}> f1', '> $X', '<&-'),
      )
      .map(([simple, redirect]) => `${simple} ${redirect}`),
    fc
      .tuple(fc.constantFrom('> f1', '< f2', '2> f3'), tie('simple'))
      .map(([redirect, simple]) => `${redirect} ${simple}`),
  ),
  list: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'shell' },
    tie('simple'),
    fc
      .tuple(tie('simple'), fc.constantFrom(' | ', ' && ', ' || ', '; ', '\n', ' |& '), tie('command'))
      .map((parts) => parts.join('')),
  ),
  command: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'shell' },
    tie('list'),
    tie('list').map((list) => `(${list})`),
    tie('list').map((list) => `{ ${list}; }`),
    fc.tuple(tie('list'), tie('list')).map(([test, then]) => `if ${test}; then ${then}; else ${test}; fi`),
    tie('list').map((list) => `while fails; ${list}; fails; do ${list}; done`),
    fc.tuple(tie('word'), tie('list')).map(([word, list]) => `for X in a ${word}; do ${list}; $X; done`),
    fc.tuple(tie('word'), tie('list')).map(([word, list]) => `case ${word} in a|${word}) ${list};; *) beta;; esac`),
    tie('list').map((list) => `fn() { ${list}; }; fn a`),
    tie('list').map((list) => `[[ -n $(${list}) && a == b* ]]`),
    tie('list').map((list) => `(( $(${list}; echo 1) ))`),
    tie('list').map((list) => `for ((i=0; i<1; i++)); do ${list}; done`),
    tie('list').map((list) => `${list} & wait`),
    tie('list').map((list) => `{ ${list}; } | { cat; } > f1`),
    tie('list').map((list) => `# ${list}\nbeta`),
  ),
}))

const marks = fc.constantFrom(
  '"',
  "'",
  '$',
  '(',
  ')',
  '{',
  '}',
  '\\',
  '`',
  '\n',
  '#',
  '!',
  ';',
  '|',
  '&',
  '<',
  '>',
  ' ',
  '[',
  ']',
  '=',
  '*',
  '$(',
  '$((',
  '${',
  "$'",
  '<<',
  '\t',
)

/** The same with some characters taken out or put in, so that not all of it is right. */
const damaged = fc
  .tuple(command, fc.array(fc.tuple(fc.nat(), fc.option(marks, { nil: '' })), { minLength: 1, maxLength: 3 }))
  .map(([text, edits]) =>
    edits.reduce((now, [place, mark]) => {
      const at = place % (now.length + 1)
      return now.slice(0, at) + mark + now.slice(mark === '' ? at + 1 : at)
    }, text),
  )

export const anyCommand = fc
  .oneof({ arbitrary: command, weight: 3 }, { arbitrary: damaged, weight: 2 })
  .filter((text) => text.length < 2000)
