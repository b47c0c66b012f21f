import type { TeamSkill } from '../../store/skills.ts'

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
