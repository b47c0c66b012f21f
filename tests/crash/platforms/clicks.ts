import { setTimeout as sleep } from 'node:timers/promises'
import { isOfMessage } from '../check/rows.ts'
import { type PlannedClick, planClick, textOf } from '../plan.ts'
import { chance, randomOf } from '../random.ts'
import type { Pressed } from './account.ts'
import { type OpenCard, openCard, type Room } from './room.ts'
import type { Clicked, Place } from './stage.ts'
import type { Crowd } from './talk.ts'

const lookMs = 120
/** After this, somebody whose click had no effect clicks again. */
const againMs = 400
/** After this, somebody whose click was heard, but changed nothing, looks again. */
const refusedMs = 5_000

/** People who watch the cards and answer each once. */
export async function click(crowd: Crowd, ended: AbortSignal): Promise<void> {
  const known = new Set<string>()
  while (!ended.aborted) {
    for (const room of crowd.rooms) {
      for (const seen of crowd.stage.see(room.place)) {
        const card = openCard(seen)
        if (card === undefined || known.has(card.id)) continue
        known.add(card.id)
        void answer(card, room, crowd, ended)
      }
    }
    await sleep(lookMs)
  }
}

async function answer(card: OpenCard, room: Room, crowd: Crowd, ended: AbortSignal): Promise<void> {
  const { seed, stage } = crowd
  const plan = planClick(seed, card.token, card.kind)
  const alone = stage.aloneIn(room.place)
  const people = alone !== undefined ? [alone] : plan.how === 'two' ? [plan.user, plan.second] : [plan.user]
  await sleep(plan.waitMs)
  // The reply may have answered another question in the thread, so the person also clicks.
  if (card.kind === 'question' && plan.how === 'thread' && isOfMessage(card.token))
    await reply(card, room, people[0] ?? '', crowd)
  await Promise.all(people.map((user, place) => press(card, room, user, plan, place, crowd, ended)))
  const random = randomOf(seed, 'late', card.token)
  if (card.kind === 'approval' && chance(random, 0.2)) await stage.click(people[0] ?? '', card.id, 'Approve', 'late')
}

/** Posts the answer in the thread; if somebody has answered already, it is an ordinary message. */
async function reply({ token }: OpenCard, room: Room, user: string, { stage, account }: Crowd): Promise<void> {
  const own = `${token}r`
  const text = textOf(own, [])
  const quiet = { uploads: [], copies: 1, silent: false }
  const said = stage.say({ user, text, place: room.place, channel: '', named: false, ...quiet })
  account.tell({
    ...{ token: own, user, text, uploads: [], message: said.id, place: said.place, removed: false, edited: false },
    ...{ conversation: undefined, sentAt: performance.now(), acknowledgedAt: undefined },
  })
  room.waitFor(own)
  await sleep(1_000)
}

/**
 * Discord wants an answer before a slow database has one. If it goes away, the person is told to click again, or sees it by
 * the card.
 */
async function isRefused({ id }: OpenCard, place: Place, begun: number, { stage, account }: Crowd): Promise<boolean> {
  if (stage.name !== 'discord' || !account.ledger.hasServer) return false
  await sleep(refusedMs)
  const shown = stage.see(place).find((seen) => seen.id === id)
  return shown !== undefined && openCard(shown) !== undefined && account.ledger.awayAt >= begun
}

/** Clicks until the bot notices or there is nothing left to click. A second person wants the opposite. */
async function press(
  card: OpenCard,
  { place }: Room,
  user: string,
  plan: PlannedClick,
  second: number,
  crowd: Crowd,
  ended: AbortSignal,
): Promise<void> {
  const { seed, stage, account } = crowd
  const random = randomOf(seed, 'press', card.token, user)
  const approves = (plan.decision === 'approve') !== second > 0
  const how = chance(random, 0.2) ? 'again' : undefined
  const inWords = chance(random, 0.4)
  const wanted = approves ? 'approve' : 'deny'
  const words = `${user} says ${wanted}`
  const option = card.options[approves ? 0 : 1]
  const pressed: Pressed = { card: card.id, place, token: card.token, user, answer: words, heard: false }
  account.pressed.push(pressed)

  const act = (): Promise<Clicked> => {
    if (card.kind === 'approval') {
      pressed.answer = wanted
      if (!approves && inWords) return stage.write(user, card.id, 'Deny and say why…', words)
      return stage.click(user, card.id, approves ? 'Approve' : 'Deny', how)
    }
    if (option !== undefined && !inWords) {
      pressed.answer = option
      return stage.click(user, card.id, option, how)
    }
    return stage.write(user, card.id, card.form ?? '', words)
  }
  while (!ended.aborted) {
    const begun = performance.now()
    const clicked = await act()
    pressed.heard = clicked === 'heard'
    if (clicked === 'gone' || (clicked === 'heard' && !(await isRefused(card, place, begun, crowd)))) return
    await sleep(againMs)
  }
}
