import { isDecodable } from '../kit/text/decodable.ts'
import type { Complaint } from './config.ts'
import { configWords } from './words.ts'

export type Environment = Record<string, string | undefined>

/** Never shows a variable's value, which may be a key that belongs in another one. */
export const inEnvironment = (message: string, remedy: string): Complaint => ({ file: 'environment', message, remedy })

export const isHttpUrl = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

/** True for the address of a database on a PostgreSQL server. The store takes any other text for a file's path. */
export const isPostgresUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^postgres(ql)?:\/\//.test(text) && url.pathname.length > 1
}

/** What is wrong with the address of a database that `name` gives. It isn't shown, because it may have a password. */
export function addressFault(name: string, address: string): { message: string; remedy: string } | undefined {
  if (!isPostgresUrl(address))
    return { message: configWords.databaseUrlInvalid({ name }), remedy: configWords.databaseUrlRemedy() }
  if (isDecodable(address)) return undefined
  return { message: configWords.databaseUrlPercent({ name }), remedy: configWords.databaseUrlPercentRemedy() }
}

const ours = /^(?:SLACK|DISCORD|MODEL|BOBBIN|WEB_SEARCH)_|^DATABASE_URL$/

/** Quotes that stand in a .env are taken off when Bobbin reads it, but not by `docker run --env-file`. */
export const quotedIn = (environment: Environment): Complaint[] =>
  Object.entries(environment)
    .filter(([name, value = '']) => ours.test(name) && /^(["'`]).*\1$/.test(value))
    .map(([name]) => inEnvironment(configWords.quotedValue({ name }), configWords.quotedValueRemedy()))
