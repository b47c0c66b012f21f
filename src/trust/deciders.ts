import type { Risk } from '../domain/question.ts'
import { ruleOf } from './layers.ts'
import type { Decider, Rules } from './rules.ts'

/** If the rules no longer contain a decider, the operator decides. Rules may change while a request waits. */
const nobodyElse: Decider = { who: ['operator'], asker: true, needed: 1 }

export const deciderNamed = (rules: Rules, name: string): Decider =>
  Object.hasOwn(rules.deciders, name) ? (rules.deciders[name] as Decider) : nobodyElse

export const deciderFor = (rules: Rules, tool: string, risk: Risk): string =>
  ruleOf(rules, tool)?.decider ?? rules.decide[risk]

const words: Record<string, string> = {
  asker: 'whoever asked',
  participants: 'the people in this thread',
  anyone: 'anyone',
  operator: 'the operator',
}

/** For people: `the operator or group S012ABC`. */
export function describe(who: string[]): string {
  const shown = who.map((word) => words[word] ?? word.replace(/^(user|group):/, '$1 '))
  return shown.length < 2 ? (shown[0] ?? 'nobody') : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`
}

/** For a card: `2 of group S012ABC, but not the person who asked`. */
export function describeDecider({ who, asker, needed }: Decider): string {
  const people = describe(who)
  return `${needed > 1 ? `${needed} of ` : ''}${people}${asker ? '' : ', but not the person who asked'}`
}
