import type { Person, ThreadRef } from '../domain/chat.ts'
import type { Request } from '../domain/request.ts'
import { answerersOf } from '../store/requests.ts'
import type { ParentCall } from '../store/session-rows.ts'
import { findSession, type Session } from '../store/sessions.ts'
import type { Db } from '../store/store.ts'
import { findTurn } from '../store/turns.ts'
import { turnsBehind } from '../store/turns-behind.ts'
import { namersOf, participantsOf, writersOf } from '../store/who-wrote.ts'
import { describe } from './deciders.ts'
import type { Decider } from './rules.ts'
import { trustWords } from './words.ts'

/** Somebody who clicks or writes. `operator` means at the console, which only the operator can reach. */
export interface Actor {
  person: Person
  operator: boolean
}

/** In the console, whoever writes is the operator. */
export const isOperatorsPlace = ({ platform }: Pick<ThreadRef, 'platform'>): boolean => platform === 'console'

/** Whether a person is in a group of the thread's platform. Throws when that can't be found out. */
export type IsMember = (session: Session, person: Person, group: string) => Promise<boolean>

/** The people a decider's words can refer to. */
export interface Around {
  session: Session
  /** Who woke the turn. */
  asker: Person
  /** Who wrote in the turn, or in those that it goes by: the one in which its alarm was set, or that it continues. */
  writers: Person[]
  /** Whose answers became part of them, or of child sessions of them. */
  answerers: Person[]
  /** Everybody who wrote in the thread, even if the bot didn't read it. */
  participants: Person[]
}

export async function aroundOf(db: Db, session: Session, request: Pick<Request, 'turn'>): Promise<Around> {
  if (session.parent !== undefined) return aroundChild(db, session, session.parent)
  const turn = await findTurn(db, request.turn)
  const asker = turn?.person ?? session.person
  const turns = await turnsBehind(db, { session: session.id, turn: request.turn })
  const read = { session: session.id, turns }
  return {
    session,
    asker,
    writers: [asker, ...(await writersOf(db, read))],
    answerers: [...(await answerersOf(db, session.id, turns)), ...(await namersOf(db, read))],
    participants: [...(session.person.bot ? [] : [session.person]), ...(await participantsOf(db, session))],
  }
}

/** Around a child are the people of its parent's thread. */
async function aroundChild(db: Db, child: Session, { session, turn }: ParentCall): Promise<Around> {
  const home = await findSession(db, session)
  if (home === undefined) throw new Error(`the session ${child.id} has lost its parent`)
  return aroundOf(db, home, { turn })
}

/**
 * Whether the rules let somebody answer a question. People of another workspace who are heard may: their messages steer
 * the turn just as much.
 */
export const mayReply = async (who: string[], by: Actor, around: Around, isMember: IsMember): Promise<boolean> =>
  isPresent(who, by.person, around) || isNamed(who, by, around, isMember)

const includes = (people: Person[], { id }: Person): boolean => people.some((one) => one.id === id)

/** Why this person may not decide; undefined when they may. `groups` are looked up on the platform each time. */
export async function whyNot(
  decider: Decider,
  { person, operator }: Actor,
  around: Around,
  isMember: IsMember,
): Promise<string | undefined> {
  if (!decider.asker && includes(around.writers, person)) return trustWords.askerMayNot()
  if (await isNamed(decider.who, { person, operator }, around, isMember)) return undefined
  if (mayBeMeant(decider.who, person, around)) return trustWords.uncheckedMayNot()
  if (person.outside && isPresent(decider.who, person, around)) return trustWords.outsiderMayNot()
  return trustWords.notADecider({ who: describe(decider.who) })
}

/** Whether somebody is meant because they asked or wrote here, wherever they come from. */
const isPresent = (who: string[], person: Person, around: Around): boolean =>
  (who.includes('asker') && person.id === around.asker.id) ||
  (who.includes('participants') && includes(around.participants, person))

/** Whether somebody would be meant if the platform said that they aren't of another workspace. */
export const mayBeMeant = (who: string[], person: Person, around: Around): boolean =>
  person.unchecked === true && isPresent(who, person, around)

/** Those whom a decider means wherever they are, not because they are in a thread. */
export const namedIn = (who: readonly string[]): string[] => who.filter((word) => /^(user|group):/.test(word))

/**
 * Whether a decider, or a rule about use, names this person. Being present isn't enough for people of another
 * workspace: nobody here chose them.
 */
export async function isNamed(who: string[], { person, operator }: Actor, around: Around, isMember: IsMember) {
  if (who.includes('anyone')) return true
  if (operator && who.includes('operator')) return true
  if (who.includes(`user:${person.id}`)) return true
  if (!person.outside && isPresent(who, person, around)) return true
  for (const word of who) {
    const group = /^group:(.+)$/.exec(word)?.[1]
    if (group !== undefined && (await isMember(around.session, person, group))) return true
  }
  return false
}
