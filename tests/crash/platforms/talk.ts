import { setTimeout as sleep } from 'node:timers/promises'
import { patienceMs } from '../../support/until.ts'
import { textOf } from '../plan.ts'
import { randomOf } from '../random.ts'
import type { Account } from './account.ts'
import { type PlannedSaying, type PlannedThread, planThread } from './plan.ts'
import { Room } from './room.ts'
import type { Place, Stage } from './stage.ts'

export interface Crowd {
  seed: number
  stage: Stage
  account: Account
  /** How many threads run at once; when one is over, the next begins. */
  atOnce: number
  /** After this, nothing new is posted. */
  ending: AbortSignal
  /** Threads in which cards may appear. */
  rooms: Room[]
}

/** Numbers of threads in which people say hello. */
const greetings = 9_000

/** With more, a message could leave the model's window before it is answered. */
const mostOpen = 2

/** People who talk. Resolves when all of them are done. */
export async function talk(crowd: Crowd): Promise<void> {
  let next = 0
  const alone = new Map<string, Promise<void>>()
  const lane = async () => {
    while (!crowd.ending.aborted) {
      const number = next++
      const thread = planThread(crowd.seed, number, crowd.stage)
      const before = alone.get(thread.user)
      const talking =
        thread.channel !== 'direct' || before === undefined
          ? converse(thread, number, crowd)
          : before.then(() => converse(thread, number, crowd))
      if (thread.channel === 'direct') alone.set(thread.user, talking)
      await talking
    }
  }
  await Promise.all(Array.from({ length: crowd.atOnce }, lane))
}

/** Discord has no list of a bot's direct messages, so a missed first one would never be found. So people say hello first. */
export async function greet({ stage, account, ending }: Crowd): Promise<void> {
  const late = AbortSignal.timeout(patienceMs)
  const ended = AbortSignal.any([ending, late])
  const rooms = stage.people.map((user, place) => {
    const token = `tok-${greetings + place}-0`
    const saying = { token, user, text: textOf(token, []), named: false, uploads: [], copies: 1, silent: false }
    const said = say('direct', saying, undefined, { stage, account })
    const room = new Room(said.place, stage, account, ended)
    room.waitFor(token)
    return room
  })
  await Promise.all(rooms.map((room) => room.until(0)))
  if (late.aborted) throw new Error(`after ${patienceMs} ms, not everybody who said hello had an answer`)
}

async function converse(thread: PlannedThread, number: number, crowd: Crowd): Promise<void> {
  const { stage, account, ending, rooms, seed } = crowd
  let room: Room | undefined
  const below = thread.chatter === undefined ? undefined : await chat(thread, thread.chatter, crowd)
  for (const saying of thread.sayings) {
    await sleep(saying.pauseMs)
    await room?.until(saying.joins ? mostOpen : 0)
    if (ending.aborted) break
    const { place, id } = say(thread.channel, saying, room?.place ?? below, crowd)
    room ??= new Room(place, stage, account, ending)
    if (!rooms.includes(room)) rooms.push(room)
    room.waitFor(saying.token)
    if (saying.fate === undefined) continue
    await sleep(saying.fate.afterMs)
    if (saying.fate.what === 'edit') change(saying, id, crowd)
    else if (saying.fate.what === 'remove') remove(saying, id, room, crowd)
    else await stop(saying, id, room, crowd, randomOf(seed, 'stop', number))
  }
  await room?.until(0)
}

/** A conversation among people, in which the bot is mentioned afterwards. */
async function chat(
  { channel, user }: PlannedThread,
  text: string,
  { stage, account }: Crowd,
): Promise<Place | undefined> {
  const said = stage.say({
    ...{ user, text, channel, place: undefined, named: false },
    ...{ uploads: [], copies: 1, silent: false },
  })
  account.chatter.push({ text, message: said.id, place: said.place })
  await sleep(200)
  return stage.isOpen(said.place) ? said.place : undefined
}

function say(
  channel: string,
  saying: Omit<PlannedSaying, 'joins' | 'pauseMs' | 'fate'>,
  place: Place | undefined,
  { stage, account }: Pick<Crowd, 'stage' | 'account'>,
) {
  const { token, user, text, named, uploads, copies, silent } = saying
  const said = stage.say({ user, text, place, channel, named, uploads, copies, silent })
  account.tell({
    ...{ token, user, text, uploads, message: said.id, place: said.place, removed: false, edited: false },
    ...{ conversation: undefined, sentAt: performance.now(), acknowledgedAt: undefined },
  })
  return said
}

/** It asks for less now. */
function change({ token, user, text }: PlannedSaying, id: string, { stage, account }: Crowd): void {
  const told = account.told.get(token)
  if (told) told.edited = true
  stage.edit(user, id, text.replace(/steps:.*/, 'steps: edited.'))
}

function remove({ token, user }: PlannedSaying, id: string, room: Room, { stage, account }: Crowd): void {
  const told = account.told.get(token)
  if (told) told.removed = true
  // Its turn may end with it.
  account.stopped.push(room.place)
  room.forget(token)
  stage.remove(user, id)
}

async function stop(
  { user }: PlannedSaying,
  id: string,
  room: Room,
  crowd: Crowd,
  random: () => number,
): Promise<void> {
  const { stage, account } = crowd
  account.stopped.push(room.place)
  await room.untilOpen()
  if (await stage.stop(user, room.place, id, random)) room.forget()
}
