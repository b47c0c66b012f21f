import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string>()

/** The language that catalogues are written in, and what stands in for a message that another one lacks. */
export const original = 'en'

/** The language of what is being said, as a BCP 47 tag. */
export const languageNow = (): string => current.getStore() ?? original

/** Whatever is said during `work` is said in this language. */
export const inLanguage = <T>(language: string, work: () => T): T => current.run(language, work)
