import { quotedLine } from './marks.ts'

/** A name in quotes, in which no tag can begin. */
export const quoted = (name: string): string => quotedLine(name).replaceAll('<', '\\u003c')
