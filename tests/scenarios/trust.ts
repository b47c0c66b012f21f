import { expect } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import type { Request } from '../../src/domain/request.ts'
import { verifyAudit } from '../../src/store/audit-chain.ts'
import { Store } from '../../src/store/store.ts'
import type { Decider } from '../../src/trust/rules.ts'
import type { MemoryBot, Message } from '../support/memory-platform.ts'
import { shippedConfig } from '../support/shipped.ts'

/** Of one's own: what is loaded is frozen. */
export const shippedRules = (): Config['rules'] => structuredClone(shippedConfig().rules)

const anyone: Decider = { who: ['anyone'], asker: true, needed: 1 }

/** The shipped rules, with writing a file asked, and `team` as it is said here. */
export function asked(team: Partial<Decider> = {}, changes: Partial<Config['rules']> = {}): Config['rules'] {
  const rules = shippedRules()
  const write_file = { approvals: true, mode: 'confirm' as const, risk: 'medium' as const }
  return {
    ...rules,
    ...changes,
    deciders: { ...changes.deciders, team: { ...anyone, ...team } },
    tools: { ...rules.tools, write_file, ...changes.tools },
  }
}

export const yes = { kind: 'approval', answer: { decision: 'approve' } } as const
export const no = { kind: 'approval', answer: { decision: 'deny' } } as const

/** What the model read last. */
export const heard = ({ model }: MemoryBot): string => `${model.requests.at(-1)?.messages.at(-1)?.content}`

/** What calls ended with, in the order in which they did. */
export const results = ({ rows }: MemoryBot): string[] =>
  rows('select state from calls order by ended_at').map(({ state }) => String(state))

/** The kinds of the entries of the log, and that it is whole. */
export async function audited(bot: MemoryBot): Promise<string[]> {
  // A second hand on the database would wait for the first, which waits for this process.
  await bot.settled()
  const store = await Store.open(bot.database, { now: () => Date.now() })
  const verdict = await verifyAudit(store.db).finally(() => store.close())
  expect(verdict).toMatchObject({ ok: true })
  return bot.rows('select kind from audit order by seq').map(({ kind }) => String(kind))
}

/** All that the bot has said in the thread beside its cards. */
export const told = (bot: MemoryBot, message: Message): string[] => bot.memory.answers(message)

/** A card that waits in place of this one. */
export async function nextCard({ memory }: MemoryBot, message: Message, before: Request): Promise<Request> {
  const next = () => memory.cards(message).find(({ id, state }) => state === 'pending' && id > before.id)
  await memory.eventually(() => expect(next()).toBeDefined())
  return next() as Request
}

export const minute = 60_000
export const hour = 60 * minute
