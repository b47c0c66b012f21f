import { existsSync } from 'node:fs'
import { normalize } from './paths.ts'
import type { MeasuredWorkspace } from './workspace.ts'

export interface LateWorkspace extends MeasuredWorkspace {
  /** Creates the directory. Must run before anything uses `root`. */
  make(): Promise<void>
  isThere(): boolean
}

/** A workspace that is opened, or created, on first use, because most threads never have a file. */
export function lateWorkspace(directory: string, open: () => Promise<MeasuredWorkspace>): LateWorkspace {
  let opened: MeasuredWorkspace | undefined
  const isThere = () => opened !== undefined || existsSync(directory)
  const own = async () => {
    opened ??= await open()
    return opened
  }
  return {
    get root() {
      return opened?.root ?? directory
    },
    normalize,
    make: async () => void (await own()),
    isThere,
    stat: async (path) => (await own()).stat(path),
    read: async (path, maxBytes) => (await own()).read(path, maxBytes),
    readRange: async (path, offset, length) => (await own()).readRange(path, offset, length),
    write: async (path, content, options) => (await own()).write(path, content, options),
    list: async (path) => (await own()).list(path),
    async *walk(path, options) {
      if (isThere()) yield* (await own()).walk(path, options)
    },
    remeasure: () => opened?.remeasure(),
    usage: async () => (await own()).usage(),
    mend: async () => {
      if (isThere()) await (await own()).mend()
    },
    takeMended: () => opened?.takeMended() ?? [],
    isMended: () => opened?.isMended() ?? false,
    place: async (...what) => (await own()).place(...what),
    holding: async (paths, work) => (await own()).holding(paths, work),
    exclusively: async (path, work) => (await own()).exclusively(path, work),
  }
}
