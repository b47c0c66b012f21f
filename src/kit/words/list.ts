import { languageNow } from './language.ts'

/** "a, b, and c", or "a, b, or c", as the language writes it. */
export const listed = (items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  new Intl.ListFormat(languageNow(), { style: 'long', type }).format(items)
