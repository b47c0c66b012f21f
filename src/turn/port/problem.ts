import { turnWords } from './words.ts'

/** A refusal over HTTP, by a route of a capability. */
export const problem = (status: number, code: string, message: string, remedy = ''): Response =>
  Response.json({ error: { code, message, remedy: remedy || turnWords.seeInterface() } }, { status })
