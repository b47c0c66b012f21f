/** Names of months and weekdays, both from 0; Sunday is the first day. */
export interface Names {
  month(index: number, isShort: boolean): string
  weekday(index: number, isShort: boolean): string
}

/** Languages by the lower ten bits of the number that Windows gives a country; other numbers mean English. */
const languages = new Map(
  '1:ar 2:bg 3:ca 4:zh 5:cs 6:da 7:de 8:el 9:en a:es b:fi c:fr d:he e:hu f:is 10:it 11:ja 12:ko 13:nl 14:nb 15:pl 16:pt'
    .concat(' 18:ro 19:ru 1a:hr 1b:sk 1c:sq 1d:sv 1e:th 1f:tr 20:ur 21:id 22:uk 23:be 24:sl 25:et 26:lv 27:lt 29:fa')
    .concat(' 2a:vi 2b:hy 2c:az 2d:eu 2f:mk 36:af 37:ka 39:hi 3e:ms 3f:kk 45:bn 49:ta 4a:te 56:gl')
    .split(' ')
    .map((pair): [number, string] => [Number.parseInt(pair, 16), pair.slice(pair.indexOf(':') + 1)]),
)

/** The language of `[$-407]` or `[$-de-DE]`, given the text between `$` and `]`. English if it is unknown. */
export function languageOf(inside: string): string {
  const country = inside.slice(inside.indexOf('-') + 1)
  if (!inside.includes('-')) return 'en'
  if (/^[0-9a-f]{1,8}$/i.test(country)) {
    const number = Number.parseInt(country, 16) & 0xffff
    return number === 0x0c07 ? 'de-AT' : (languages.get(number & 0x3ff) ?? 'en')
  }
  const language = /^[a-z]{2}(?![a-z])/i.exec(country)?.[0].toLowerCase() ?? 'en'
  return [...languages.values()].includes(language) ? language : 'en'
}

const known = new Map<string, Names>()

/** `hasDay`: a day stands beside the month, which changes its form in some languages. */
export function namesIn(language: string, hasDay: boolean): Names {
  const key = `${language} ${hasDay}`
  const names = known.get(key) ?? makeNames(language, hasDay)
  known.set(key, names)
  return names
}

function makeNames(language: string, hasDay: boolean): Names {
  const tables = new Map<string, string[]>()
  const table = (kind: 'month' | 'weekday', isShort: boolean): string[] => {
    const key = `${kind} ${isShort}`
    const made = tables.get(key) ?? make(language, kind, isShort, hasDay)
    tables.set(key, made)
    return made
  }
  return {
    month: (index, isShort) => table('month', isShort)[index] ?? '',
    weekday: (index, isShort) => table('weekday', isShort)[index] ?? '',
  }
}

function make(language: string, kind: 'month' | 'weekday', isShort: boolean, hasDay: boolean): string[] {
  const locale = `${language}-u-ca-gregory-nu-latn`
  const width = isShort ? 'short' : 'long'
  const alone = new Intl.DateTimeFormat(locale, { [kind]: width, timeZone: 'UTC' })
  const beside = new Intl.DateTimeFormat(locale, { day: 'numeric', [kind]: width, timeZone: 'UTC' })
  const count = kind === 'month' ? 12 : 7
  return Array.from({ length: count }, (_, index) => {
    // 1 January 2023 was a Sunday.
    const moment = new Date(Date.UTC(2023, kind === 'month' ? index : 0, kind === 'month' ? 1 : index + 1))
    const form = beside.formatToParts(moment).find(({ type }) => type === kind)?.value ?? ''
    // In some languages the month is a number beside a day, and its name stands alone.
    const name = hasDay && kind === 'month' && !isShort && !/\d/.test(form) ? form : alone.format(moment)
    return language === 'en' && isShort ? name.slice(0, 3) : name.replace(/\.$/, '')
  })
}
