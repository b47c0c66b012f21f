import type { InForce } from '../store/in-force.ts'
import { cliWords } from './words.ts'

/** What whoever goes back to an earlier database is told: no line if nothing is in force. */
export function inForceAgain({ tokens, grants }: InForce, at: number): string[] {
  if (tokens + grants === 0) return []
  const time = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  return [cliWords.inForceAgain({ tokens, grants, time })]
}
