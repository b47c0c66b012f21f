import type { Message } from '../../domain/messages.ts'
import { readPrompt, type StoredPrompt, type ToldSection } from '../../store/prompts.ts'
import type { Session } from '../../store/sessions.ts'
import type { HookContext, PromptSection } from '../port/capability.ts'
import type { CapabilityName } from '../port/mentions.ts'
import { maskedSections } from '../prompt/masked.ts'
import { beginning, buildPrompt, ofEveryThread, ownNames } from '../prompt/prompt.ts'
import {
  changesBefore,
  changesSince,
  changeText,
  type FittedSection,
  isEmpty,
  joined,
  type PromptChanges,
  toldInPrompt,
  withinShare,
} from '../prompt/sections.ts'
import type { TurnServices } from './services.ts'

/** A session's instructions: the text it began with, and what has changed since. */
export interface SystemPrompt {
  /** The same for as long as the session lives. */
  text: string
  /** The beginning that a new one has in common with others; '' once it is stored. */
  shared: string
  /** The current sections. */
  sections: FittedSection[]
  told: ToldSection[]
  /** Told with the next messages. */
  changes: PromptChanges | undefined
  /** Names of tools the model is or was offered. A tool keeps its place among them. */
  offered: string[]
  /** Whether `text`, `told` and `offered` are stored. */
  isStored: boolean
}

export async function systemPromptOf(
  session: Session,
  loaded: string[],
  context: HookContext,
  bot: TurnServices,
): Promise<SystemPrompt> {
  const { store, clock, capabilities, toolbox } = bot
  // It is stored with the first message.
  const known = session.messages === 0 ? undefined : await readPrompt(store.db, session.id)
  const { brought, isWhole } = await capabilities.prompt(session, { bot, taken: ownNames }, context)
  const sections = sectionsWith(brought, session, bot)
  const before = known?.offered ?? []
  const now = toolbox
    .in(session.thread)
    .of(loaded, before, session)
    .map(({ name }) => name)
  const offered = [...before, ...now.filter((name) => !before.includes(name))]
  if (known !== undefined) return knownPrompt(known, sections, offered, isWhole)
  const { platform, project } = session.thread
  const { person, timeZone } = session
  const begun = beginning({ platform, project, person: person.name, timeZone, now: clock.now() })
  const text = await capabilities.hooks.promptBuilt(joined([...sections, begun]), context)
  const own = joined([...sections, ofEveryThread(begun)])
  const shared = text.startsWith(own) ? own : ''
  return { text, shared, sections, told: toldInPrompt(sections), changes: undefined, offered, isStored: false }
}

/** All sections, within their share of the context. */
function sectionsWith(
  given: readonly PromptSection[],
  session: Session,
  { answerers, config, store, toolbox }: TurnServices,
): FittedSection[] {
  const brought = maskedSections(given, store)
  const window = answerers.base?.model.contextLimit ?? Number.POSITIVE_INFINITY
  const most = Math.floor(window * config.agent.promptShare)
  const here = toolbox.in(session.thread)
  const onDemand = here.onDemandIn(session)
  return withinShare(buildPrompt({ byName: here.byName, onDemand, brought }, most), brought, most)
}

/** The same with its sections built anew; `named` is mentioned in the messages that are about to be read. */
export async function renewed(
  prompt: SystemPrompt,
  session: Session,
  named: readonly CapabilityName[],
  context: HookContext,
  bot: TurnServices,
): Promise<SystemPrompt> {
  const { brought, isWhole } = await bot.capabilities.prompt(session, { bot, taken: ownNames, named }, context)
  const built = sectionsWith(brought, session, bot)
  const missing = prompt.sections.filter(({ name }) => built.every((one) => one.name !== name))
  const sections = isWhole ? built : [...built, ...missing]
  return { ...prompt, sections, changes: dueSince(prompt.told, sections, isWhole) }
}

/**
 * `isWhole`: no capability failed. Otherwise a missing section doesn't count as removed, nor one as changed that may
 * only have got or lost room.
 */
function dueSince(
  told: readonly ToldSection[],
  sections: FittedSection[],
  isWhole: boolean,
): PromptChanges | undefined {
  const { changed, gone } = changesSince(told, sections)
  const mayOnlyFit = ({ name, isCut }: FittedSection) =>
    told.some((one) => one.name === name && one.hash !== '' && (isCut || one.isCut))
  const due = isWhole ? { changed, gone } : { changed: changed.filter((one) => !mayOnlyFit(one)), gone: [] }
  return isEmpty(due) ? undefined : due
}

function knownPrompt(
  { text, told, offered: before }: StoredPrompt,
  sections: FittedSection[],
  offered: string[],
  isWhole: boolean,
): SystemPrompt {
  // An older version began the thread and told everything at once; only later changes are told.
  if (told === undefined)
    return { text, shared: '', sections, told: toldInPrompt(sections), changes: undefined, offered, isStored: !isWhole }
  const isStored = offered.length === before.length
  return { text, shared: '', sections, told, changes: dueSince(told, sections, isWhole), offered, isStored }
}

/** Changes of the instructions from before the first of these messages, as a message that goes in front of them. */
export function toldBefore(window: readonly Message[], { told, sections }: SystemPrompt): Message[] {
  const [first] = window
  const changes = changesBefore(window, told, sections)
  if (first === undefined || changes === undefined) return []
  const { turn, at } = first
  return [{ seq: 0, turn, at, role: 'user', text: changeText(changes), origin: 'prompt', files: [] }]
}
