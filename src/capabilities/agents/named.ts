import { newId } from '../../domain/ids.ts'
import { listed } from '../../kit/words/list.ts'
import { handedTo } from '../../store/agents.ts'
import { insertOutbox } from '../../store/outbox.ts'
import type { Session } from '../../store/session-rows.ts'
import type { Tx } from '../../store/store.ts'
import type { NamedScope } from '../../turn/port/capability.ts'
import { delegating, type NamedByMessage } from '../../turn/port/mentions.ts'
import type { Choice } from './by-words.ts'
import { change } from './change.ts'
import { routeTo, taskIn } from './routed.ts'
import { type Agent, type AgentsSettings, agentNamed } from './settings.ts'
import { agentsWords } from './words.ts'

/** What a message implies, and because of which words; undefined if its meaning says so. */
export interface Why {
  choice: Choice
  words?: string[]
}

/** In front of a route's name, which may be that of an agent. */
const routePrefix = 'route:'

/** A choice as something that a message names. */
export const namedBy = (why: Why): NamedByMessage => {
  const { how, agents, name } = why.choice
  return { name: how === 'one' ? (agents[0] ?? '') : `${routePrefix}${name}`, why }
}

const isDelegating = (name: string): boolean => delegating.includes(name)

/** The agent that gets the thread by these names; undefined if whoever has it keeps it. */
export const takenBy = (names: readonly string[], settings: AgentsSettings): Agent | undefined =>
  names.some(isDelegating) ? undefined : agentNamed(settings, names[0])

/** A message names agents, asks for subagents, or implies who works on it. What people name comes first. */
export async function namedIn(
  tx: Tx,
  session: Session['id'],
  named: readonly NamedByMessage[],
  scope: NamedScope,
  settings: AgentsSettings,
): Promise<void> {
  const byHand = named.filter(({ why }) => why === undefined).map(({ name }) => name)
  const implied = named.find(({ why }) => why !== undefined)?.why as Why | undefined
  if (byHand.some(isDelegating)) return delegate(tx, session, byHand, scope)
  if (byHand.length === 0 && implied !== undefined && implied.choice.how !== 'one')
    return begin(tx, session, implied, scope)
  const [first] = byHand.length > 0 ? byHand : (implied?.choice.agents ?? [])
  if (first !== undefined) await take(tx, session, first, byHand.length > 0 ? undefined : implied, scope, settings)
}

/** `@agent`, with the names of agents or without: subagents work on the message, and nobody gets the thread. */
async function delegate(tx: Tx, session: Session['id'], byHand: readonly string[], scope: NamedScope): Promise<void> {
  const { turn, message } = scope
  const named = byHand.filter((name) => !isDelegating(name))
  const agents = named.length > 0 ? named : ['']
  if (taskIn(message.text, agents) === '') return
  await routeTo(tx, session, { turn, how: 'parallel', agents, message: message.seq })
}

/** Several agents work on the message. */
export async function begin(
  tx: Tx,
  session: Session['id'],
  why: Why,
  { turn, message }: Pick<NamedScope, 'turn' | 'message'>,
): Promise<void> {
  const { how, agents } = why.choice
  if (how === 'one') return
  await routeTo(tx, session, { turn, how, agents, message: message.seq })
  await say(tx, session, `${ways[how](inBold(agents))}${becauseOf(why)}.`)
}

/** An agent gets the thread. */
async function take(
  tx: Tx,
  session: Session['id'],
  name: string,
  why: Why | undefined,
  { turn }: NamedScope,
  settings: AgentsSettings,
): Promise<void> {
  const { stack = [], chosen } = (await handedTo(tx, session)) ?? {}
  if (chosen && stack.length === 1 && stack[0] === name) return
  await change(tx, { session, turn, stack: [name], chosen: true }, settings)
  await say(
    tx,
    session,
    `**${name}** has this thread now${why === undefined ? '' : becauseOf(why)}. \`agents off\` gets me back.`,
  )
}

const ways: Record<Exclude<Choice['how'], 'one'>, (agents: string[]) => string> = {
  parallel: (agents) => agentsWords.inParallel({ agents: listed(agents), count: agents.length }),
  chain: (agents) => agentsWords.oneAfterAnother({ agents: agents.join(', then '), count: agents.length }),
  delegate: (agents) => agentsWords.handsOutParts({ agents: listed(agents) }),
}

export function becauseOf({ choice, words }: Why): string {
  if (words !== undefined) return `, because of ${words.map((word) => `“${word}”`).join(', ')}`
  return choice.about === undefined ? '' : `, because it looks like this: ${choice.about.replace(/\.$/, '')}`
}

const inBold = (names: readonly string[]): string[] => names.map((name) => `**${name}**`)

async function say(tx: Tx, session: Session['id'], text: string): Promise<void> {
  const payload = { text, files: [] }
  await insertOutbox(tx, { key: newId('msg', tx.now), session, turn: undefined, kind: 'answer', payload })
}
