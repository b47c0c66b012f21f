import { IntlMessageFormat } from 'intl-messageformat'

const original = 'en'

/** The language of the page, which doesn't change while it is open. */
const language = globalThis.document?.documentElement.lang || original

/** Whether a message only names values, so that nothing has to be parsed. */
const isPlain = (text) => !/\{\w+,|'[{}']/.test(text)

function formatter(text, tag) {
  if (isPlain(text)) return (values = {}) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''))
  let parsed
  return (values) => {
    parsed ??= new IntlMessageFormat(text, tag, undefined, { ignoreTag: true })
    return parsed.format(values)
  }
}

/**
 * A function for each message, of the values that it names. A second language is a second file, given here by its tag;
 * what it lacks is said in English.
 *
 * @template {Record<string, string>} M
 * @param {M} english
 * @param {Record<string, { [Key in keyof M]?: string }>} [translations]
 * @returns {{ [Key in keyof M]: (values?: Record<string, string | number>) => string }}
 */
export function catalogue(english, translations = {}) {
  const translated = translations[language] ?? {}
  return Object.fromEntries(
    Object.entries(english).map(([key, text]) => [
      key,
      Object.hasOwn(translated, key) ? formatter(translated[key], language) : formatter(text, original),
    ]),
  )
}
