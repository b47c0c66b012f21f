import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { shippedSkills } from './folders.ts'

const place = /^skills\/([a-z0-9-]{1,64})\/(scripts\/[\w-]+\.mjs)$/

/** Whether this is, to the letter, a script of a skill that comes with Bobbin. */
export function isShipped(path: string, text: string): boolean {
  const [, skill, script] = place.exec(path) ?? []
  if (skill === undefined || script === undefined) return false
  try {
    return readFileSync(join(shippedSkills, skill, script), 'utf8') === text
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw thrown
  }
}

/** What a shipped script imports from its own folder. Another skill of the same name may have other files there. */
export const importsOf = (path: string, text: string): { path: string }[] =>
  Array.from(text.matchAll(/from '(\.\/[\w-]+\.mjs)'/g), ([, name = '']) => ({
    path: posix.join(posix.dirname(path), name),
  }))
