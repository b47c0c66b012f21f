import { formatter } from './format.ts'
import { languageNow, original } from './language.ts'
import type { ValuesOf } from './values.ts'

type Messages = Readonly<Record<string, string>>

/** The same messages in other languages, by their tags. What is missing is said in English. */
export type Translations<M extends Messages> = Readonly<Record<string, { readonly [Key in keyof M]?: string }>>

export type Words<M extends Messages> = {
  readonly [Key in keyof M]: (...values: ValuesOf<M[Key]>) => string
}

/** Where a catalogue keeps its texts, for tests that read all of them. */
export const texts = Symbol('texts')

/**
 * All that a door or a capability says to people, as complete sentences in ICU's MessageFormat. Each becomes a function
 * of the values that it names. A second language is a second file, given here.
 */
export function catalogue<const M extends Messages>(english: M, translations: Translations<M> = {}): Words<M> {
  const said = Object.keys(english).map((key) => [key, message(key, english, translations)])
  return Object.assign(Object.fromEntries(said), { [texts]: english })
}

function message(key: string, english: Messages, translations: Translations<Messages>) {
  const formatters = new Map<string, ReturnType<typeof formatter>>()
  return (values?: Readonly<Record<string, string | number>>): string => {
    const language = languageNow()
    let format = formatters.get(language)
    if (format === undefined) {
      const translated = translations[language]?.[key]
      format = translated === undefined ? formatter(english[key] ?? key, original) : formatter(translated, language)
      formatters.set(language, format)
    }
    return format(values)
  }
}
