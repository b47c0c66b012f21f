import type { Risk } from '../domain/question.ts'
import { listed } from '../kit/words/list.ts'
import { ruleOf } from './layers.ts'
import type { Decider, Rules } from './rules.ts'
import { trustWords } from './words.ts'

/** If the rules no longer contain a decider, the operator decides. Rules may change while a request waits. */
const nobodyElse: Decider = { who: ['operator'], asker: true, needed: 1 }

export const deciderNamed = (rules: Rules, name: string): Decider =>
  Object.hasOwn(rules.deciders, name) ? (rules.deciders[name] as Decider) : nobodyElse

export const deciderFor = (rules: Rules, tool: string, risk: Risk): string =>
  ruleOf(rules, tool)?.decider ?? rules.decide[risk]

const words: Record<string, () => string> = {
  asker: trustWords.whoeverAsked,
  participants: trustWords.peopleHere,
  anyone: trustWords.anyone,
  operator: trustWords.theOperator,
}

/** For people: `the operator or group S012ABC`. */
export function describe(who: string[]): string {
  if (who.length === 0) return trustWords.nobody()
  const shown = who.map((word) => words[word]?.() ?? word.replace(/^(user|group):/, '$1 '))
  return listed(shown, 'disjunction')
}

/** For a card: `2 of group S012ABC, but not the person who asked`. */
export function describeDecider({ who, asker, needed }: Decider): string {
  const people = needed > 1 ? trustWords.severalOf({ needed, who: describe(who) }) : describe(who)
  return asker ? people : trustWords.notTheAsker({ who: people })
}
