/** Formulas in Markdown: `\(a\)` and `$a$` in a line; `\[a\]` and `$$a$$` on lines of their own. */

const longest = 4_000
/** How far ahead a formula is looked for. Each paragraph and each stretch of text is looked at from its beginning. */
const farthest = 1_000
const inlinePairs = [
  ['\\(', '\\)'],
  ['\\[', '\\]'],
  ['$$', '$$'],
]
const blockPairs = inlinePairs.slice(1)

/** The formula that the source begins with, or undefined. */
function formulaAt(source, pairs, within) {
  for (const [open, close] of pairs) {
    if (!source.startsWith(open) || !within(longest)) continue
    const near = source.slice(0, longest)
    const end = near.indexOf(close, open.length)
    const text = end < 0 ? '' : near.slice(open.length, end).trim()
    if (text !== '') return { raw: near.slice(0, end + close.length), text, display: open !== '\\(' }
  }
  return undefined
}

/** What stands between single dollars is a formula only if it can't be money or a variable of a shell. */
const dollars = /^\$(?![\s$])((?:\\.|[^\\$\n]){1,500})(?<!\s)\$(?![\p{L}\p{N}$])/u

/**
 * @param {(length: number) => boolean} within Whether so many characters may still be looked over.
 * @param {(text: string) => string} escapeHtml
 */
export const mathExtensions = (within, escapeHtml) => [
  {
    name: 'mathBlock',
    level: 'block',
    start(source) {
      const near = source.slice(0, farthest)
      const found = ['\n\\[', '\n$$'].map((mark) => near.indexOf(mark)).filter((at) => at >= 0)
      return found.length === 0 ? undefined : Math.min(...found) + 1
    },
    tokenizer(source) {
      const [begin, indent] = /^( {0,3})[\\$]/.exec(source) ?? []
      if (begin === undefined) return undefined
      const found = formulaAt(source.slice(indent.length, longest), blockPairs, within)
      if (!found) return undefined
      const raw = indent + found.raw
      const rest = /^[ \t]*(\n+|$)/.exec(source.slice(raw.length, raw.length + 200))
      return rest ? { type: 'mathBlock', raw: raw + rest[0], text: found.text } : undefined
    },
    renderer: ({ text }) => `<p><span class="math-block">${escapeHtml(text)}</span></p>\n`,
  },
  {
    name: 'mathInline',
    level: 'inline',
    start(source) {
      const at = source.slice(0, farthest).indexOf('$')
      return at < 0 ? undefined : at
    },
    tokenizer(source) {
      const found = formulaAt(source, inlinePairs, within)
      if (found) return { type: 'mathInline', ...found }
      const [raw, text] = (source.startsWith('$') && dollars.exec(source.slice(0, 600))) || []
      return text === undefined ? undefined : { type: 'mathInline', raw, text, display: false }
    },
    renderer: ({ text, display }) =>
      `<span class="${display ? 'math-block' : 'math-inline'}">${escapeHtml(text)}</span>`,
  },
]
