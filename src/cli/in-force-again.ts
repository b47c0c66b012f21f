import type { InForce } from '../store/in-force.ts'
import { cliWords } from './words.ts'

/** What whoever goes back to an earlier database is told: no line if nothing is in force. */
export function inForceAgain({ tokens, grants }: InForce, at: number): string[] {
  if (tokens + grants === 0) return []
  const time = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  return [cliWords.inForceAgain({ tokens: count(tokens, 'console token'), grants: count(grants, 'grant'), time })]
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`
