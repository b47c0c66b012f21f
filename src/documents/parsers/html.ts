/** Elements whose content nobody sees. */
const unseen = new Set(['script', 'style', 'head', 'title', 'noscript', 'template'])

const blocks = new Set(
  'p div br tr li ul ol table blockquote pre hr section h1 h2 h3 h4 h5 h6 article header footer dt dd'.split(' '),
)

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['euro', '€'],
  ['copy', '©'],
  ['ndash', '–'],
  ['mdash', '—'],
  ['hellip', '…'],
  ['lsquo', '‘'],
  ['rsquo', '’'],
  ['ldquo', '“'],
  ['rdquo', '”'],
  ['auml', 'ä'],
  ['ouml', 'ö'],
  ['uuml', 'ü'],
  ['Auml', 'Ä'],
  ['Ouml', 'Ö'],
  ['Uuml', 'Ü'],
  ['szlig', 'ß'],
  ['eacute', 'é'],
])

/** The text of a page: blocks are lines, cells of a table stand between bars. Takes linear time. */
export function textOfHtml(html: string): string {
  const pieces: string[] = []
  for (let at = 0; at < html.length; ) {
    const start = html.indexOf('<', at)
    pieces.push(resolved(html.slice(at, start === -1 ? html.length : start).replace(/[ \t\r\n\f]+/g, ' ')))
    if (start === -1) break
    const comment = html.startsWith('<!--', start)
    const end = comment ? html.indexOf('-->', start) : html.indexOf('>', start)
    if (end === -1) break
    at = end + (comment ? 3 : 1)
    const [, slash, name = ''] = /^<(\/?)([a-z][a-z0-9]{0,20})/i.exec(html.slice(start, start + 24)) ?? []
    const element = name.toLowerCase()
    if (slash === '' && unseen.has(element) && html[end - 1] !== '/') at = afterElement(html, at, element)
    else if (blocks.has(element)) pieces.push('\n')
    else if (slash === '/' && (element === 'td' || element === 'th')) pieces.push(' | ')
    if (slash === '' && element === 'li') pieces.push('- ')
  }
  const lines = pieces.join('').split('\n').map(withoutLastBars)
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function withoutLastBars(line: string): string {
  let end = line.length
  while (end > 0 && (line[end - 1] === '|' || line[end - 1] === ' ')) end--
  return line.slice(0, end).trim()
}

/** Where an element that nobody sees is over; without an end tag, right where it began. */
function afterElement(html: string, from: number, element: string): number {
  for (let at = from; at < html.length; ) {
    const end = html.indexOf('</', at)
    if (end === -1) return html.length
    if (html.slice(end + 2, end + 2 + element.length).toLowerCase() === element) return end
    at = end + 2
  }
  return html.length
}

function resolved(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities.get(name) ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : whole
  })
}
