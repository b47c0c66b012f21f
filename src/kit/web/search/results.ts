import { withoutInvisible } from '../../text/invisible.ts'
import { oneLine } from '../../text/text.ts'
import { type WebResult, webAddress } from '../port.ts'
import type { Provider } from './providers.ts'

/** Characters of each. */
const titleCharacters = 200
const snippetCharacters = 600
const urlCharacters = 2000
const engineCharacters = 100
const mostEngines = 20
/** How much of a text is cleaned. */
const rawCharacters = 10_000

/** The results in an answer, made safe: strangers wrote everything in it. */
export function foundIn(answer: unknown, { list, snippet }: Provider, most: number): WebResult[] {
  let results = answer
  for (const key of list) results = own(results, key)
  if (!Array.isArray(results)) return []
  const found: WebResult[] = []
  // Bad ones are skipped, but not without limit.
  for (const result of results.slice(0, 200)) {
    if (found.length === most) break
    const url = addressOf(own(result, 'url'))
    if (url === undefined || found.some((other) => other.url === url)) continue
    const title = plain(own(result, 'title'), titleCharacters)
    found.push({ title: title || new URL(url).hostname, url, snippet: plain(own(result, snippet), snippetCharacters) })
  }
  return found
}

/** The engines that gave no answer, and why: “google (CAPTCHA)”. */
export function silentIn(answer: unknown, { silent }: Provider): string[] {
  const engines = silent === undefined ? undefined : own(answer, silent)
  if (!Array.isArray(engines)) return []
  return engines.slice(0, mostEngines).flatMap((engine) => {
    if (!Array.isArray(engine)) return []
    const [name = '', reason = ''] = engine.slice(0, 2).map((text) => plain(text, engineCharacters))
    if (name === '') return []
    return [reason === '' ? name : `${name} (${reason})`]
  })
}

function own(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  // Checked to be an object with this key.
  return (value as Record<string, unknown>)[key]
}

function addressOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > urlCharacters) return undefined
  try {
    const { href } = webAddress(value)
    return href.length <= urlCharacters ? href : undefined
  } catch {
    // A result without an address that can be fetched doesn't count.
    return undefined
  }
}

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['#39', "'"],
  ['#x27', "'"],
  ['nbsp', ' '],
])

/** One line without tags. */
function plain(value: unknown, most: number): string {
  if (typeof value !== 'string') return ''
  const text = value
    .slice(0, rawCharacters)
    .replace(/<\/?(strong|b|em|i|mark|span|br|p|a|code|font|wbr)(\s[^<>]{0,500})?\/?>/gi, '')
    .replace(/&(#?\w{2,5});/g, (whole, name: string) => entities.get(name.toLowerCase()) ?? whole)
  return oneLine(withoutInvisible(text).toWellFormed(), most)
}
