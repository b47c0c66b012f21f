import { aloneWithSkill, type SkillScope, skillHistory, type TeamSkill } from '../../store/skills.ts'
import type { Tx } from '../../store/store.ts'

export type Change = 'on' | 'off' | 'back' | 'remove'

export type NextState = Pick<TeamSkill, 'state' | 'hash'>

/**
 * What a scope has of a skill after a change; undefined if there is nothing to change. `isThere`: whether the scope has
 * a skill of this name, its own or one from elsewhere.
 */
export function nextState(
  change: Change,
  [latest, ...earlier]: readonly TeamSkill[],
  isThere: boolean,
): NextState | undefined {
  const hash = latest?.hash ?? ''
  if (change === 'remove') return hash === '' ? undefined : { state: 'removed', hash: '' }
  if (change !== 'back') return hash === '' && !isThere ? undefined : { state: change, hash }
  if (latest === undefined) return undefined
  const before = earlier.find((one) => one.state !== latest.state || one.hash !== hash)
  return before === undefined ? { state: 'removed', hash: '' } : { state: before.state, hash: before.hash }
}

/**
 * The same at the moment of the change, since others may have changed it meanwhile. `seen`: its history when it was
 * found out whether the skill is there.
 */
export async function nextStateNow(
  tx: Tx,
  scope: SkillScope,
  { change, name, seen, isThere }: { change: Change; name: string; seen: readonly TeamSkill[]; isThere: boolean },
): Promise<{ history: TeamSkill[]; next: NextState | undefined }> {
  await aloneWithSkill(tx, scope, name)
  const history = await skillHistory(tx.db, scope, name)
  // The scope's own may be gone by now.
  const isElsewhere = isThere && (seen[0]?.hash ?? '') === ''
  return { history, next: nextState(change, history, isElsewhere) }
}
