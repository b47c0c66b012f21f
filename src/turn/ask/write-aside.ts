import type { SessionId } from '../../domain/ids.ts'
import { CutShort, type ModelRequest, NotPermitted } from '../../kit/model/model.ts'
import type { Answerer } from '../../model/answerers.ts'
import { appendEvents } from '../../store/events.ts'
import { findSession } from '../../store/sessions.ts'
import { lastTurn } from '../../store/turns.ts'
import { recordSpent, type Spent } from '../../store/usage.ts'
import type { AsideOrder } from '../port/aside.ts'
import type { ModelScope } from '../port/scope.ts'
import { turnWords } from '../port/words.ts'
import { imagesIn, sizeOf } from '../prompt/request-size.ts'
import { costEvent, paidInVain, spenderIn } from '../state/paid.ts'
import type { TurnServices } from '../state/services.ts'
import { askWatched } from './ask-watched.ts'
import { costOfFailure } from './reply.ts'

const nobody = {
  thought() {},
  textStarted() {},
  textDelta() {},
  async textDiscarded() {},
  retrying() {},
}

/**
 * Has the base model, or the one for images, write a text that isn't part of a turn. It counts for the session's latest
 * turn and keeps to the same budgets. Throws ModelFailure, and CutShort if the text isn't whole.
 */
export async function writeAside(
  bot: TurnServices,
  id: SessionId,
  { system, text, tool, images = [] }: AsideOrder,
  signal: AbortSignal,
): Promise<string> {
  const model = images.length === 0 ? bot.answerers.base : bot.answerers.seeing
  if (model === undefined) throw new Error('there is no model for it')
  const [session, row] = await bot.store.readPatiently(id, (db) => Promise.all([findSession(db, id), lastTurn(db, id)]))
  if (session === undefined || row === undefined) throw new Error(`nobody has said anything in ${id}`)
  const messages: ModelRequest['messages'] = [
    { role: 'system', content: system },
    { role: 'user', content: text, ...(images.length === 0 ? {} : { images }) },
  ]
  return paidText(model, { messages, tools: [], signal }, { bot, session, row, signal, aside: tool }, bot)
}

async function paidText(
  model: Answerer,
  request: ModelRequest,
  scope: ModelScope & { aside: string },
  { capabilities, config, store }: TurnServices,
): Promise<string> {
  const sent = () => sizeOf(request)
  const permit = await capabilities.hooks.beforeModel({ ...model, characters: sent, images: imagesIn(request) }, scope)
  if (permit.kind !== 'go') throw new NotPermitted(permit.kind === 'stop' ? permit.text : turnWords.notAllowedYet())
  const { reserve } = permit
  const { session, row: turn, aside } = scope
  const record = (spent: Spent) =>
    store.patiently(session.id, async (tx) => {
      await recordSpent(tx, spenderIn({ turn, session }), { ...spent, tools: [aside] })
      await appendEvents(tx, session.id, [costEvent(turn, spent)])
    })
  const watched = { listener: nobody, reserve, place: { session: session.id }, capabilities }
  const { reply, paid } = await askWatched(model, request, { patience: config.model.patience, ...watched }).catch(
    async (thrown) => {
      const spent = paidInVain(thrown, model, reserve)
      if (spent !== undefined) await record(spent)
      else if (reserve !== undefined) await capabilities.hooks.modelFailed(reserve, costOfFailure(thrown), scope)
      throw thrown
    },
  )
  const { spent } = paid
  if (spent !== undefined) await record(spent)
  const text = reply.text.trim()
  if (reply.finish === 'length') throw new CutShort(turnWords.asideCut(), text)
  if (reply.finish === 'filter') throw new CutShort(turnWords.answerFiltered(), text)
  return text
}
