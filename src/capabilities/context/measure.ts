import type { Message } from '../../domain/messages.ts'
import { tokensIn, tokensOfTools } from '../../kit/model/tokens.ts'
import { readMessages } from '../../store/messages.ts'
import { readPrompt } from '../../store/prompts.ts'
import type { Session } from '../../store/sessions.ts'
import type { Db } from '../../store/store.ts'
import { modelOf } from '../../turn/port/command.ts'
import { stillSent, windowOf } from '../../turn/port/history.ts'
import { countForWindow, latestMessages } from '../../turn/port/latest-messages.ts'
import type { Services } from '../../turn/port/scope.ts'
import { ratioOf } from '../../turn/port/weigh.ts'
import { budgetOf } from './levels.ts'
import type { Room } from './room.ts'
import type { ContextSettings } from './settings.ts'
import { noState, readState, type State, viewIn } from './state.ts'
import { type View, viewOf, wholeView } from './view.ts'

/** No request contains more messages than this. */
export const mostMessages = 3_000

/** A session's context as it would be sent now. */
export interface Measured {
  state: State
  view: View
  /** All of them since the beginning of the view. */
  messages: Message[]
  sent: Message[]
  room: Room
  system: number
  tools: number
  model: string
  contextLimit: number
}

export async function messagesIn(db: Db, session: Session, view: View): Promise<Message[]> {
  const from = Math.max(view.from, session.historyFrom)
  const messages = await readMessages(db, session.id, { from, limit: mostMessages })
  if (view.pinned === undefined || view.pinned < session.historyFrom) return messages
  return [...(await readMessages(db, session.id, { from: view.pinned, to: view.pinned })), ...messages]
}

export async function measure(session: Session, bot: Services, settings: ContextSettings): Promise<Measured> {
  const { db } = bot.store
  const found =
    settings.window === 'messages'
      ? await windowed(session, bot)
      : await viewed(db, session, await readState(db, session.id, session.historyFrom))
  const system = tokensIn((await readPrompt(db, session.id))?.text ?? '')
  const tools = tokensOfTools(await bot.offeredTo(session))
  const { model } = modelOf(session, bot)
  const room = { budget: budgetOf(model, settings), fixed: system + tools, ratio: ratioOf(found.messages) }
  return { ...found, room, system, tools, model: model.name, contextLimit: model.contextLimit }
}

type Found = Pick<Measured, 'state' | 'view' | 'messages' | 'sent'>

async function viewed(db: Db, session: Session, state: State): Promise<Found> {
  const view = viewIn(state)
  const messages = await messagesIn(db, session, view)
  return { state, view, messages, sent: viewOf(messages, view) }
}

/** The latest messages, where the window is measured in messages. */
async function windowed({ id, historyFrom }: Session, { config, store }: Services): Promise<Found> {
  const messages = await latestMessages(store.db, id, { from: historyFrom, count: countForWindow(config.agent) })
  const sent = windowOf(stillSent(messages), config.agent.windowMessages)
  const [first, second] = sent
  // An older request stands in front of the window.
  const isAlone = first !== undefined && second !== undefined && second.seq > first.seq + 1
  const from = (isAlone ? second : first)?.seq ?? historyFrom
  return { state: noState, view: { ...wholeView, from: from > historyFrom ? from : 0 }, messages, sent }
}
