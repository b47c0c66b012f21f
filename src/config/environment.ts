import type { Complaint } from './config.ts'

export type Environment = Record<string, string | undefined>

export const inEnvironment = (message: string, remedy: string): Complaint => ({ file: 'environment', message, remedy })

export const isHttpUrl = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '')
