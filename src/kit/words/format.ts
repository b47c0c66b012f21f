import { createRequire } from 'node:module'
import type { IntlMessageFormat } from 'intl-messageformat'

type Values = Readonly<Record<string, string | number>>

const require = createRequire(import.meta.url)

/** `{name}` and nothing else that has a meaning in ICU's MessageFormat. */
const isPlain = (text: string): boolean => !/\{\w+,|'[{}']/.test(text)

/**
 * Puts values into a message of ICU's MessageFormat. The library is loaded by the first message that needs it, and each
 * message is parsed when it is first said: a start says few of them.
 */
export function formatter(text: string, language: string): (values?: Values) => string {
  if (isPlain(text)) return (values = {}) => text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
  let parsed: IntlMessageFormat | undefined
  return (values) => {
    parsed ??= parse(text, language)
    return String(parsed.format(values))
  }
}

function parse(text: string, language: string): IntlMessageFormat {
  const library: typeof import('intl-messageformat') = require('intl-messageformat')
  return new library.IntlMessageFormat(text, language, undefined, { ignoreTag: true })
}
