import type { NamedFile } from './samples.ts'

/** What real collections hold: sound for somebody's program, and unlike what most programs write. */
export const odd: (() => NamedFile | Promise<NamedFile>)[] = []
