import { access, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Signs of processes that nobody knows any more, once they are this old, ms. */
const forgottenMs = 86_400_000

/** Signs beside the workspaces, by which processes on several machines find that they see the same one. */
export interface Signs {
  /** From here on, whoever sees the same disk finds this. */
  leave(process: string): Promise<void>
  sees(process: string): Promise<boolean>
  remove(process: string): Promise<void>
  /** Removes what others have left behind that are long gone. */
  tidy(known: readonly string[]): Promise<void>
}

export function signsIn(directory: string): Signs {
  const pathOf = (process: string) => join(directory, process)
  const isOld = async (name: string) => Date.now() - (await stat(pathOf(name))).mtimeMs > forgottenMs
  const remove = (process: string) => rm(pathOf(process), { force: true })
  return {
    async leave(process) {
      await mkdir(directory, { recursive: true })
      await writeFile(pathOf(process), '')
    },
    sees: (process) =>
      access(pathOf(process)).then(
        () => true,
        () => false,
      ),
    remove,
    async tidy(known) {
      for (const name of await readdir(directory)) {
        if (!known.includes(name) && (await isOld(name).catch(() => false))) await remove(name)
      }
    },
  }
}
