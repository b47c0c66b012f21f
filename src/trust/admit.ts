import { type Heard, overheard, type Person, type ThreadRef } from '../domain/chat.ts'
import { trustWords } from './words.ts'

/** Who gets an answer. Each list holds ids. An empty list means everybody, except in `bots`, where it means nobody. */
export interface Access {
  tenants: readonly string[]
  channels: readonly string[]
  users: readonly string[]
  bots: readonly string[]
  /** People of other Slack workspaces, in shared channels, get an answer too. */
  otherWorkspaces: boolean
  /** How many messages of one bot are answered per channel within the window. */
  botMessages: number
  botWindowMs: number
  /** In the bot's own threads: whether every message is answered, or only those that mention it. */
  threads: 'all' | 'mentions'
}

/** What is known about where something was said. */
export interface ThreadFacts {
  /** The thread has a session. */
  known: boolean
  /** How many messages of the same author were accepted within the window. Counted for bots only. */
  recent: number
}

const named = (list: readonly string[], id: string): boolean => list.length === 0 || list.includes(id)

/** Why this person may not use the bot here, as a sentence; undefined when they may. */
export function barred(
  who: { tenant: string; project: string; person: Pick<Person, 'id' | 'outside' | 'unchecked'> },
  access: Access,
): string | undefined {
  if (!named(access.tenants, who.tenant)) return trustWords.tenantNotListed()
  if (!named(access.channels, who.project)) return trustWords.channelNotListed()
  if (!named(access.users, who.person.id)) return trustWords.personNotListed()
  if (who.person.outside && !access.otherWorkspaces)
    return who.person.unchecked ? trustWords.workspaceUnchecked() : trustWords.otherWorkspaces()
  return undefined
}

/** Why a message isn't answered, as a sentence; undefined when it is. */
export function whyIgnored(heard: Heard, { known, recent }: ThreadFacts, access: Access): string | undefined {
  const { tenant, project } = heard.thread
  if (heard.author === 'self') return trustWords.ownMessage()
  if (heard.author === 'bot') return whyBotIgnored(heard, recent, access)
  const reason = barred({ tenant, project, person: heard.person }, access)
  if (reason !== undefined) return reason
  if (heard.mentioned || heard.direct) return undefined
  if (!known) return overheard.unnamed
  if (access.threads === 'mentions') return overheard.mentionsOnly
  return heard.toOthers ? overheard.toOthers : undefined
}

/** Why what somebody arranged in a thread may no longer happen, as a sentence; undefined when it may. */
export function barredSince({ tenant, project }: ThreadRef, person: Person, access: Access): string | undefined {
  const who = { tenant, project, person }
  return person.bot ? whyBotBarred(who, access) : barred(who, access)
}

function whyBotBarred(who: { tenant: string; project: string; person: Person }, access: Access): string | undefined {
  if (!access.bots.includes(who.person.id)) return trustWords.botNotListed()
  return barred(who, { ...access, users: [] })
}

function whyBotIgnored(heard: Heard, recent: number, access: Access): string | undefined {
  const { tenant, project } = heard.thread
  const reason = whyBotBarred({ tenant, project, person: heard.person }, access)
  if (reason !== undefined) return reason
  // Two bots would answer each other for ever.
  if (!heard.mentioned) return trustWords.botWithoutMention()
  if (recent >= access.botMessages) return trustWords.botOverLimit()
  return undefined
}
