/** Characters of a name in a sentence. */
export const mostShown = 80

/** A name that JavaScript loads. */
interface Named {
  name: string
  isRequired: boolean
  /** The name is put together, or not found. */
  isComputed: boolean
}

/** Comments may stand between the parts. Up to a few of them, so that this is quick in any text. */
const loading = /(?<![.\w$])from(?![\w$])|\b(?:import|require)(?![\w$])/g
const gap = /(?:\s*(?:\/\*(?:[^*]|\*(?!\/)){0,300}\*\/|\/\/[^\n\r\u2028\u2029]{0,300}[\n\r\u2028\u2029])){0,8}\s*/y
const opening = /(?:\?\.)?\(/y
/** A comment, or a name that is longer than what is looked at. */
const skipped = /\/[/*]|(["'])(?:(?!\1)[^\n]){0,4096}\\\r?\n|(["'])(?:(?!\2)[^\n]){4096}/y
const literal = /(['"`])((?:(?!\1)[^\n]){1,4096})\1/y

/** What `word`, which ends at `from`, loads in a text; undefined if it doesn't seem to load anything. */
function namedAfter(text: string, from: number, word: string): Named | undefined {
  let at = from
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    at += found?.[0].length ?? 0
    return found
  }
  take(gap)
  const isCall = word !== 'from' && take(opening) !== null
  if (isCall) take(gap)
  const start = at
  const isRequired = word === 'require'
  const [, quote, name = ''] = take(literal) ?? []
  const isSkipped = quote === undefined && take(skipped) !== null
  if (quote === undefined && !isCall && !isSkipped) return undefined
  if (quote !== undefined && isCall) take(gap)
  const isWhole = quote !== undefined && (!isCall || /[),]/.test(text.charAt(at)))
  if (isWhole) return { name, isRequired, isComputed: quote === '`' && name.includes('${') }
  const [rest = ''] = text
    .slice(start, start + 2 * mostShown)
    .replace(/\s+/g, ' ')
    .split(';')
  return { name: rest, isRequired, isComputed: true }
}

/** What JavaScript imports or requires, in its order. */
export function* namedIn(text: string): Generator<Named> {
  for (const { 0: word, index } of text.matchAll(loading)) {
    const named = namedAfter(text, index + word.length, word)
    if (named !== undefined) yield named
  }
}
