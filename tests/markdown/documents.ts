import fc from 'fast-check'

const latin = fc.stringMatching(/^[a-z]{1,10}$/)
const odd = fc.constantFrom(
  '你好世界',
  '这是一个测试。',
  '日本語のテキスト',
  'สวัสดีชาวโลก',
  'שלום',
  'مرحبا',
  '👩‍👩‍👧‍👦',
  '👍🏽',
  '🏳️‍🌈',
  'e\u0301a\u0308',
  'a\u200Db',
  '\u200F\u202Ertl\u202C',
  'snake_case_name',
  '2*3*4',
  'C#',
  '#5',
  '1.',
  '2)',
  '-',
  '+',
  '>',
  '=',
  '---',
  '***',
  '|',
  '<',
  '&amp;',
  '&lt;b&gt;',
  '\\*',
  '\\[x]',
  ']',
  '**',
  '_',
  '~',
  '`',
  '$5',
  'a|b',
  'Ends.',
  'Asks?',
  '@everyone',
  '<!channel>',
  '<@U123>',
)
const longWord = fc.integer({ min: 20, max: 150 }).map((length) => 'supercalifragilistic'.repeat(8).slice(0, length))
const url = fc
  .integer({ min: 0, max: 120 })
  .map((length) => `https://example.com/${'path/'.repeat(30).slice(0, length)}x`)
const word = fc.oneof(
  { weight: 12, arbitrary: latin },
  { weight: 4, arbitrary: odd },
  { weight: 1, arbitrary: longWord },
)
const words = (most: number) => fc.array(word, { minLength: 1, maxLength: most }).map((all) => all.join(' '))
const plain = (most: number) => fc.array(latin, { minLength: 1, maxLength: most }).map((all) => all.join(' '))

const inline: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: words(8) },
  plain(6).map((text) => `**${text}**`),
  plain(6).map((text) => `*${text}*`),
  plain(4).map((text) => `_${text}_`),
  plain(4).map((text) => `~~${text}~~`),
  plain(4).map((text) => `**bold *both ${text}* bold**`),
  plain(4).map((text) => `\`${text}\``),
  plain(3).map((text) => `\`\` a \` ${text} \`\``),
  fc.tuple(plain(4), url).map(([text, target]) => `[${text}](${target})`),
  fc.tuple(plain(3), url).map(([text, target]) => `![${text}](${target})`),
  url,
  url.map((target) => `<${target}>`),
  plain(2).map((text) => `<b>${text}</b>`),
  plain(30).map((text) => `**${text}**`),
)
const line = (most: number): fc.Arbitrary<string> =>
  fc.array(inline, { minLength: 1, maxLength: most }).map((all) => all.join(' '))

/** A paragraph starts with a word: what it says is text, and not a block by chance. */
const paragraph = fc
  .tuple(latin, fc.array(line(3), { minLength: 1, maxLength: 3 }), fc.constantFrom('\n', '  \n', '\\\n', ' '))
  .map(([first, lines, end]) => lines.map((text, index) => (index === 0 ? `${first} ${text}` : `so ${text}`)).join(end))

const heading = fc
  .tuple(fc.integer({ min: 1, max: 6 }), latin, line(2))
  .map(([depth, first, text]) => `${'#'.repeat(depth)} ${first} ${text}`)
const setext = fc.tuple(latin, fc.constantFrom('===', '---')).map(([text, rule]) => `${text}\n${rule}`)

const codeLine = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^ {0,6}[a-z(){};=_*"'<>&|\\-]{1,40}$/) },
  fc.constantFrom(
    '',
    '  ',
    '\tindented',
    '# no heading',
    '- no list',
    '| no | table |',
    '> no quote',
    '你好 = "世界" # 👩‍👩‍👧‍👦',
  ),
)
const fence = (mark: string, inner: string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('', 'js', 'python title="a b"', 'c++'),
      fc.array(fc.oneof({ weight: 8, arbitrary: codeLine }, fc.constantFrom(...inner)), { maxLength: 25 }),
    )
    .map(([info, lines]) => [`${mark}${info}`, ...lines, mark].join('\n'))
const fences = fc.oneof(
  fence('```', ['``', '~~~']),
  fence('~~~', ['```', '```js', '~~']),
  fence('````', ['```js', '```', '~~~~']),
  fence('~~~~~', ['~~~', '````']),
)
const indentedCode = fc
  .array(fc.stringMatching(/^[a-z(){};=]{1,30}$/), { minLength: 1, maxLength: 6 })
  // The parser takes no list for one that follows such code and does not start with 1.
  .map((lines) => `${lines.map((text) => `    ${text}`).join('\n')}\n\ncode above`)

const cell = fc.oneof(
  { weight: 6, arbitrary: plain(4) },
  fc.constantFrom('', 'a\\|b', '`x \\| y`', '你好世界', '👍🏽', '**b**', '-5', '[l](http://a.b/c)', 'snake_case'),
)
export const table = fc.integer({ min: 1, max: 6 }).chain((columns) =>
  fc
    .tuple(
      fc
        .tuple(
          fc.stringMatching(/^[a-z]{12}$/),
          fc.array(fc.oneof(plain(2), fc.constantFrom('名前', 'a\\|b')), {
            minLength: columns - 1,
            maxLength: columns - 1,
          }),
        )
        .map(([first, others]) => [first, ...others]),
      fc.array(fc.constantFrom('---', ':--', '--:', ':-:'), { minLength: columns, maxLength: columns }),
      fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { maxLength: 30 }),
    )
    .map((rows) => [rows[0], rows[1], ...rows[2]].map((cells) => `| ${cells.join(' | ')} |`).join('\n')),
)

const html = fc.constantFrom(
  '<div>\nhtml here\n</div>',
  '<details><summary>More</summary>',
  '<!-- a comment -->',
  '<br>',
)
const rule = fc.constantFrom('---', '***', '_ _ _')

const prefixed = (text: string, first: string, further: string): string =>
  text
    .split('\n')
    .map((each, index) => (index === 0 ? first + each : each === '' ? further.trimEnd() : further + each))
    .join('\n')

const leaf = fc.oneof(
  { weight: 6, arbitrary: paragraph },
  { weight: 2, arbitrary: heading },
  setext,
  { weight: 3, arbitrary: fences },
  indentedCode,
  { weight: 2, arbitrary: table },
  html,
  rule,
)

const { blocks } = fc.letrec<{ blocks: string; block: string; quote: string; bullets: string; numbers: string }>(
  (tie) => ({
    blocks: fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map((all) => all.join('\n\n')),
    block: fc.oneof(
      { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
      leaf,
      tie('quote'),
      tie('bullets'),
      tie('numbers'),
    ),
    quote: tie('blocks').map((text) => prefixed(text, '> ', '> ')),
    bullets: fc
      .tuple(
        fc.constantFrom('- ', '* ', '+ ', '-   '),
        fc.array(
          fc.tuple(fc.oneof(paragraph, fc.constantFrom('[ ] open', '[x] done', '`code`')), fc.option(tie('blocks'))),
          {
            minLength: 1,
            maxLength: 4,
          },
        ),
        fc.constantFrom('\n', '\n\n'),
      )
      .map(([mark, items, between]) =>
        items
          .map(([head, more]) => prefixed(more === null ? head : `${head}\n\n${more}`, mark, ' '.repeat(mark.length)))
          .join(between),
      ),
    numbers: fc
      .tuple(
        fc.integer({ min: 0, max: 12 }),
        fc.constantFrom(0, 1),
        fc.constantFrom('.', ')'),
        fc.array(fc.tuple(paragraph, fc.option(tie('blocks'))), { minLength: 1, maxLength: 4 }),
        fc.constantFrom('\n', '\n\n'),
      )
      .map(([start, step, end, items, between]) =>
        items
          .map(([head, more], index) => {
            const mark = `${start + index * step}${end} `
            return prefixed(more === null ? head : `${head}\n\n${more}`, mark, ' '.repeat(mark.length))
          })
          .join(between),
      ),
  }),
)

/** Documents as models write them, and worse; the end of a longer one need not be parted well. */
export const documents: fc.Arbitrary<string> = fc
  .array(blocks, { minLength: 1, maxLength: 4 })
  .map((all) => all.join('\n\n'))
  .filter((text) => text.length <= 32_000)

/** What is no document at all. */
export const rubbish: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...'`~*_[]()<>#-+|\\!&;:=\n\t .1234567890abc') },
      fc.constantFrom(
        '```',
        '\n\n',
        '    ',
        '> ',
        '- ',
        '1. ',
        '|-|',
        '](',
        '\r\n',
        '\u0000',
        '\u200B',
        '\uFEFF',
        '\uD83D',
        '👩‍👩‍👧‍👦',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 400, size: 'max' },
  )
  .map((all) => all.join(''))
