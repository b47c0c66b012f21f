import { newId } from '../../domain/ids.ts'
import type { Message, ToolCall } from '../../domain/messages.ts'
import type { Reply } from '../../kit/model/model.ts'
import { saysNothing, silenceReminder } from '../../kit/model/silence.ts'
import { tokensOfRequest } from '../../kit/model/tokens.ts'
import { taskOf } from '../../model/route.ts'
import { endsAsAtLastRing } from '../../store/rings.ts'
import type { SentHistory } from '../port/capability.ts'
import { callsIn } from '../port/cut-off.ts'
import { turnWords } from '../port/words.ts'
import { lastStepReminder } from '../prompt/prompt.ts'
import { newOutputs } from '../state/outputs.ts'
import type { Paid } from '../state/paid.ts'
import type { JustRead, Turn } from '../state/turn.ts'
import { describeFirst, describeLater } from './describe.ts'
import { modelRequest } from './model-request.ts'
import { remindersFor } from './reminders.ts'
import { type NotAsked, type Replied, type RequestFor, replyTo } from './reply.ts'
import { isTooLong, sentHistory } from './sent-history.ts'
import { markedIfCut, wordsOf } from './words-of.ts'

/**
 * Makes one model call and handles its reply. `last`: without calls, and the turn ends with it. `justRead` saves
 * look-ups.
 */
export async function ask(kind: 'step' | 'last', turn: Turn, justRead?: JustRead): Promise<'open' | 'ended'> {
  const { journal } = turn
  const { maxSteps } = turn
  await turn.status('thinking')
  turn.bot.capabilities.see({ kind: 'step', number: journal.steps + 1 }, turn.place)
  const whole = await sentHistory(turn, { justRead })
  const { texts, data, sight: found } = await remindersFor(whole, turn)
  if (kind === 'last') texts.push(lastStepReminder(maxSteps))
  const mayBeEmpty = kind === 'step' && (await maySayNothing(turn, justRead))
  if (mayBeEmpty) texts.push(silenceReminder)
  const described = await describeFirst(found, whole, turn)
  if ('notAsked' in described) return withoutModel(described.notAsked, mayBeEmpty, turn)
  const { first, sight } = described
  texts.push(...described.reminders)
  let estimate = 0
  const replyWith = ({ messages, reminders }: SentHistory, refused?: number): Promise<Replied> => {
    const requestFor: RequestFor = (by, more, images) => {
      const along = { reminders: [...reminders, ...texts, ...more], data, images }
      const request = modelRequest(by, kind, { history: messages, refused }, along, turn)
      estimate = tokensOfRequest(request)
      return { ...request, mayBeEmpty }
    }
    const task = kind === 'last' ? 'wording' : taskOf(saidIn(messages, turn))
    return replyTo(sight, task, requestFor, turn, refused !== undefined)
  }
  const replied = await replyWith(first).catch(async (thrown) => {
    if (!isTooLong(thrown)) throw thrown
    await journal.textDiscarded()
    return replyWith(await sentHistory(turn, { tooLong: true }), estimate)
  })
  if ('notAsked' in replied) return withoutModel(replied.notAsked, mayBeEmpty, turn)
  const { reply } = replied
  // Images are sent once, and what they led to goes on after that.
  if (replied.saw) turn.hasShownImages = true
  const usage = { ...(reply.usage ?? { input: 0, output: 0, cached: 0 }), estimate }
  const paid = { ...replied.paid, usage }

  if (kind === 'last') {
    const text = reply.text.trim() === '' ? turnWords.outOfSteps({ steps: maxSteps }) : markedIfCut(reply).trim()
    return journal.finish(text, 'out-of-steps', await newOutputs(turn), paid)
  }
  const calls = await callsOf(reply, turn)
  if (calls.length > 0) {
    const thought = reply.thoughtWanted && reply.thought
    const state = await journal.reply({ text: reply.text, thought, calls, paid })
    if (replied.saw && reply.text.trim() === '') await describeLater(sight, whole, turn)
    return state
  }
  return endWith(reply, { mayBeEmpty, paid }, turn)
}

/** People may only be talking to each other, since the turn began or while something goes on by itself. */
const maySayNothing = async ({ journal }: Turn, justRead?: JustRead): Promise<boolean> =>
  (justRead?.isAmongPeople ?? (await journal.isAmongPeople())) || (await journal.underway())?.maySayNothing === true

/** Ends the turn with a reply that calls nothing, unless something has arrived or a capability wants another round. */
async function endWith(
  reply: Reply,
  { mayBeEmpty, paid }: { mayBeEmpty: boolean; paid: Paid },
  turn: Turn,
): Promise<'open' | 'ended'> {
  const { journal } = turn
  if (mayBeEmpty && reply.finish !== 'length' && saysNothing(reply.text))
    return journal.sayNothing(await newOutputs(turn), turnWords.stayedSilent(), paid)

  const text = wordsOf(reply)
  const again = await turn.bot.capabilities.hooks.replyComplete(text, () => journal.rounds(), turn.hookContext)
  if (again === undefined) {
    const isNoResult = turn.session.parent !== undefined && reply.text.trim() === ''
    return journal.finish(text, isNoResult ? 'stopped' : 'nothing-arrived', await newOutputs(turn), paid)
  }
  await journal.replyAgain(text, again, paid)
  return 'open'
}

/** What people have said since the turn began, so that a turn stays with its model. */
const saidIn = (history: Message[], { row }: Turn) =>
  history.filter(
    (message) => message.role === 'user' && message.turn === row.id && message.origin === 'person',
  ) as Extract<Message, { role: 'user' }>[]

/** The model isn't asked: tools are called in its place, or the turn ends here with what it has made. */
async function withoutModel(notAsked: NotAsked, isAmongPeople: boolean, turn: Turn): Promise<'open' | 'ended'> {
  if (turn.journal.steps === 0) {
    const reason = await whySilent(notAsked, isAmongPeople, turn)
    if (reason !== undefined) return turn.journal.sayNothing(await newOutputs(turn), reason)
  }
  if (notAsked.kind === 'stop') return turn.journal.finish(notAsked.text, 'stopped', await newOutputs(turn))
  const calls = notAsked.calls.map(({ id = newId('call'), tool, input }) => ({
    id,
    name: tool,
    arguments: JSON.stringify(input),
  }))
  return turn.journal.reply({ text: '', calls })
}

/** Why people aren't told at the first step that the model isn't asked; undefined if they are. */
async function whySilent(
  notAsked: NotAsked,
  isAmongPeople: boolean,
  { store, row }: Turn,
): Promise<string | undefined> {
  if (notAsked.kind === 'stop') {
    const { text } = notAsked
    const isSilent = isAmongPeople || (await endsAsAtLastRing(store.db, row, { text: store.mask(text) }))
    return isSilent ? text : undefined
  }
  // The bot doesn't know whether people who are talking to each other want anything from it.
  return notAsked.asksConsent && isAmongPeople ? turnWords.silentWithoutConsent() : undefined
}

/** Calls get our own ids, because some providers use the same ones again in a later turn. */
async function callsOf(reply: Reply, turn: Turn): Promise<ToolCall[]> {
  const taken = callsIn(reply).slice(0, turn.bot.config.agent.maxCallsPerStep)
  const unrun = reply.calls.length - taken.length
  if (unrun > 0) {
    const fact = turnWords.tooManyCalls({ asked: reply.calls.length, most: taken.length })
    await turn.journal.warn('too_many_calls', fact)
  }
  return taken.map((call, place) => ({
    id: newId('call'),
    ...call,
    ...(unrun > 0 && place === taken.length - 1 && { unrun }),
  }))
}
