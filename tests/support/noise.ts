import { createHash } from 'node:crypto'

/** Bytes without form, the same in every run: random ones now and then begin like a text or a file of some kind. */
export const noise = (length: number, which = 0): Buffer =>
  createHash('shake256', { outputLength: length }).update(`${which}`).digest()
