import type { Complaint } from './config.ts'

export type Environment = Record<string, string | undefined>

export const inEnvironment = (message: string, remedy: string): Complaint => ({ file: 'environment', message, remedy })

export const isHttpUrl = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

/** True for the address of a database on a PostgreSQL server. The store takes any other text for a file's path. */
export const isPostgresUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^postgres(ql)?:\/\//.test(text) && url.pathname.length > 1
}
