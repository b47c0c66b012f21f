import type { WorkspaceFile } from '../../domain/chat.ts'
import { ModelFailure, type ModelImage, type ModelRequest, type Reply } from '../../kit/model/model.ts'
import type { Answerer } from '../../model/answerers.ts'
import type { AskListener, RetryNotice } from '../../model/ask.ts'
import { haveCost } from '../../model/retry.ts'
import { fates } from '../../model/retry-table.ts'
import type { Task } from '../../model/route.ts'
import type { ModelPermit } from '../port/model-permit.ts'
import { turnWords } from '../port/words.ts'
import { imagesIn, sizeOf } from '../prompt/request-size.ts'
import { type Paid, paidInVain } from '../state/paid.ts'
import type { Turn } from '../state/turn.ts'
import { askWatched } from './ask-watched.ts'
import { factOf } from './explain.ts'
import { isTooLong } from './sent-history.ts'

/** Images a model is shown once. */
export interface Sight {
  images: ModelImage[]
  /** The same ones, in that order. */
  files: WorkspaceFile[]
  /** For the model that is shown them. */
  reminder: string
  /** For the model that answers instead, when that one can't, or has failed. */
  unseen(failure?: ModelFailure): string
}

/** Why a model wasn't asked. */
export type NotAsked = Exclude<ModelPermit, { kind: 'go' }>

/** What a model said, what it cost, and whether it was shown images; or why it wasn't asked. */
export type Replied = { reply: Reply; paid: Paid; saw?: boolean } | { notAsked: NotAsked }

/** Makes a model's request, adding reminders and images to what is sent anyway. */
export type RequestFor = (by: Answerer, reminders: string[], images: ModelImage[]) => ModelRequest

/**
 * A whole reply, from the model that sees if there are images. If that one refuses or keeps failing, another model
 * answers without the images, and is told so.
 */
export async function replyTo(
  sight: Sight | undefined,
  task: Task | undefined,
  requestFor: RequestFor,
  turn: Turn,
  isShortened = false,
): Promise<Replied> {
  const { answerers } = turn.bot
  const all = answerers.for({ chosen: turn.chosenSlot, task })
  const seeing = answerers.seeingFor(turn.chosenSlot)
  if (sight === undefined || seeing === undefined)
    return firstOf(all, (one) => requestFor(one, [], []), turn, isShortened)
  let unseen: string
  try {
    return { ...(await askOne(seeing, requestFor(seeing, [sight.reminder], sight.images), turn)), saw: true }
  } catch (thrown) {
    if (!(thrown instanceof ModelFailure)) throw thrown
    unseen = sight.unseen(thrown)
    await turn.journal.textDiscarded()
    await warnOf('images_not_seen', thrown, (why) => turnWords.withoutImages({ why }), turn)
  }
  // Where it is the base model, it may well take the request without the images.
  const others = seeing.model === answerers.base?.model ? all : all.filter(({ model }) => model !== seeing.model)
  return firstOf(others, (one) => requestFor(one, [unseen], []), turn, isShortened)
}

/**
 * The reply of the first model that gives one. A model that has failed several times lately is passed over, as long as
 * there is another one. People are told who answers instead, and why.
 */
async function firstOf(
  all: Answerer[],
  requestFor: (by: Answerer) => ModelRequest,
  turn: Turn,
  isShortened: boolean,
): Promise<Replied> {
  const { answerers } = turn.bot
  // This is lazy: a resting model lets one request try it, so only a request that will try it may ask.
  let others = all.values().filter((one) => answerers.lets(one))
  let one = others.next().value
  if (one === undefined) {
    others = all.values()
    one = others.next().value
  }
  const [skipped] = all
  if (skipped !== undefined && one !== skipped)
    await tellInstead(turn, one, (other) => {
      const { name } = skipped.model
      return turn.journal.warn('model_changed', turnWords.leftAlone({ name, other }))
    })
  while (one !== undefined) {
    try {
      return await askOne(one, requestFor(one), turn)
    } catch (thrown) {
      // A request that is too long is shortened before another model is asked.
      const isShortenedFirst = isTooLong(thrown) && !isShortened
      if (!(thrown instanceof ModelFailure) || isShortenedFirst) throw thrown
      one = others.next().value
      if (one === undefined) throw thrown
      await turn.journal.textDiscarded()
      await tellInstead(turn, one, (name) =>
        warnOf('model_changed', thrown, (why) => turnWords.answersInstead({ why, name }), turn),
      )
    }
  }
  throw new Error('there is no model')
}

/** Asks one model if that is allowed, and remembers how it went. */
export async function askOne(
  one: Answerer,
  request: ModelRequest,
  turn: Turn,
  listener: AskListener = listenerOf(turn),
): Promise<Replied> {
  const { answerers, config, capabilities } = turn.bot
  const { patience } = config.model
  const leftMs = patience.turnTimeoutMs - turn.askedMs
  if (leftMs <= 0) throw turnTooLong(patience.turnTimeoutMs)
  const { slot, model, price } = one
  const characters = () => sizeOf(request)
  const permit = await capabilities.hooks.beforeModel(
    { slot, model, price, characters, images: imagesIn(request) },
    turn,
  )
  if (permit.kind !== 'go') return { notAsked: permit }
  const { reserve } = permit
  const began = performance.now()
  try {
    const callTimeoutMs = Math.min(patience.callTimeoutMs, leftMs)
    const watched = { listener, reserve, place: turn.place, capabilities }
    const replied = await askWatched(one, request, { patience: { ...patience, callTimeoutMs }, ...watched })
    answerers.answered(one)
    return replied
  } catch (thrown) {
    if (thrown instanceof ModelFailure && fates[thrown.code].retry) answerers.failed(one)
    const spent = paidInVain(thrown, one, reserve)
    if (spent !== undefined) await turn.journal.paidInVain(spent)
    else if (reserve !== undefined) await capabilities.hooks.modelFailed(reserve, costOfFailure(thrown), turn)
    throw thrown
  } finally {
    turn.askedMs += performance.now() - began
  }
}

/** Whether a request that brought no reply may have cost something. */
export const costOfFailure = (thrown: unknown): 'nothing' | 'unknown' =>
  thrown instanceof ModelFailure && !haveCost([thrown]) ? 'nothing' : 'unknown'

const turnTooLong = (ms: number) =>
  new ModelFailure('hang', turnWords.turnTooLong({ minutes: Math.round(ms / 60_000) }), false)

/** Once in a turn for each model: it shows in the thread until the turn ends. */
async function tellInstead(
  turn: Turn,
  next: Answerer | undefined,
  tell: (name: string) => Promise<void>,
): Promise<void> {
  if (next === undefined || turn.toldInstead.has(next.slot)) return
  turn.toldInstead.add(next.slot)
  await tell(next.model.name)
}

/** Warns that a model has failed. Screens show all of it; a thread must not name endpoints and settings. */
export const warnOf = (code: string, failure: ModelFailure, say: (why: string) => string, turn: Turn): Promise<void> =>
  turn.journal.warn(code, say(failure.message), say(factOf(failure)))

/** Screens show one line for all attempts at a request, so it says which one comes next. */
export async function tellRetry(turn: Turn, { attempt, attempts, waitMs, failure }: RetryNotice): Promise<void> {
  const seconds = Math.ceil(waitMs / 1000)
  await warnOf(failure.code, failure, (why) => turnWords.retrying({ why, seconds, attempt, attempts }), turn)
}

const listenerOf = (turn: Turn): AskListener => ({
  thought: (text) => turn.journal.thought(text),
  textStarted: () => turn.status('thinking'),
  textDelta(delta) {
    turn.journal.textDelta(delta)
    turn.bot.capabilities.hooks.text(delta, turn.hookContext)
  },
  textDiscarded: () => turn.journal.textDiscarded(),
  async retrying(notice) {
    await turn.status('retrying')
    await tellRetry(turn, notice)
  },
})
