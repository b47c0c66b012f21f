import { createHash } from 'node:crypto'

/** A short hash, to notice that a text has changed. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)
