/**
 * Footnotes in Markdown: `[^1]` in the text, and `[^1]: …` anywhere. Those that the text names are listed at its end.
 */

const longest = 4_000
const name = /^\[\^([^\]\s]{1,40})\]/
const definition = /^\[\^([^\]\s]{1,40})\]:[ \t]*([^\n]*(?:\n(?![ \t]*(?:\n|$|\[\^))[^\n]+)*)(?:\n+|$)/

export function createFootnotes() {
  let defined = new Map()
  /** The names in the order in which the text refers to them. */
  let named = []

  const numberOf = (id) => {
    if (!named.includes(id)) named.push(id)
    return named.indexOf(id) + 1
  }

  const extensions = [
    {
      name: 'footnote',
      level: 'block',
      tokenizer(source) {
        const [raw, id, text] = (source.startsWith('[^') && definition.exec(source.slice(0, longest))) || []
        if (id === undefined) return undefined
        const token = { type: 'footnote', raw, id, tokens: this.lexer.inline(text.replace(/\n[ \t]+/g, '\n')) }
        if (!defined.has(id)) defined.set(id, token)
        return token
      },
      renderer: () => '',
    },
    {
      name: 'footnoteReference',
      level: 'inline',
      tokenizer(source) {
        const [raw, id] = (source.startsWith('[^') && name.exec(source.slice(0, 50))) || []
        return defined.has(id) ? { type: 'footnoteReference', raw, id } : undefined
      },
      renderer: ({ id }) => `<sup class="footnote-reference">${numberOf(id)}</sup>`,
    },
  ]

  return {
    extensions,
    begin() {
      defined = new Map()
      named = []
    },
    /** A footnote may refer to another one, so the list can grow while it is made. */
    list(parser) {
      let items = ''
      for (let place = 0; place < named.length; place += 1) {
        items += `<li>${parser.parseInline(defined.get(named[place]).tokens)}</li>\n`
      }
      return items === '' ? '' : `<ol class="footnotes">\n${items}</ol>\n`
    },
  }
}
