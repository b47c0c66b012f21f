import { createHash } from 'node:crypto'

/** A short hash of a text, which stands for it. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)
