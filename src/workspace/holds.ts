import { Failure } from '../kit/failure.ts'
import { shown } from './failures.ts'
import { workspaceWords as words } from './words.ts'

/**
 * Files that a command was decided on with. In the sandbox they are mounted, and a mount is gone as soon as its name is
 * replaced from outside, so nobody does that while the command runs.
 */
export function openHolds() {
  const holds = new Set<readonly string[]>()
  const replacing = new Set<Promise<void>>()
  const plain = (path: string): string => path.normalize('NFC')
  const isHeld = (path: string): boolean =>
    [...holds].some((held) => held.some((one) => one === path || one.startsWith(`${path}/`)))

  return {
    /** Runs `work` while these paths stay what they are. */
    async holding<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
      const held = paths.map(plain)
      holds.add(held)
      try {
        await Promise.allSettled(replacing)
        return await work()
      } finally {
        holds.delete(held)
      }
    },

    /** `work` gives the name to another file or folder. Throws `in_use`. */
    async replacing(path: string, work: () => Promise<void>): Promise<void> {
      if (isHeld(plain(path))) throw new Failure('in_use', words.held({ path: shown(path) }), words.heldRemedy())
      const done = work()
      replacing.add(done)
      await done.finally(() => replacing.delete(done))
    },
  }
}
