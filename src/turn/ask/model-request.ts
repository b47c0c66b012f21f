import type { Message, ToolCall } from '../../domain/messages.ts'
import type { ModelImage, ModelRequest, SlotName } from '../../kit/model/model.ts'
import { outputReserve, tokensIn, tokensOfTools, tokensPerImage } from '../../kit/model/tokens.ts'
import type { Answerer } from '../../model/answerers.ts'
import { sourceOf } from '../../trust/untrusted.ts'
import { ratioOf } from '../port/weigh.ts'
import { type Quoted, toModelMessages } from '../prompt/request.ts'
import { toldBefore } from '../state/system-prompt.ts'
import { suits } from '../state/toolbox.ts'
import type { Turn } from '../state/turn.ts'
import { fitTo } from './window.ts'

/** The texts of uploads fill at most this share of what a model can read. The other files are only named. */
const mostOfData = 0.25

/** When a model refuses a request as too long, the messages of the next one have at most this share of its messages. */
const lessShare = 0.4

/** What a model is sent, made to fit it. `refused`: about how many tokens the last request had, if it was too long. */
export function modelRequest(
  { slot, model }: Answerer,
  kind: 'step' | 'last',
  { history, refused }: { history: Message[]; refused: number | undefined },
  { reminders, data, images }: { reminders: string[]; data: Quoted[]; images: ModelImage[] },
  turn: Turn,
): ModelRequest {
  const { engine, answerers } = turn.bot
  const atWork: SlotName[] = images.length > 0 || turn.hasShownImages ? [slot, 'vision'] : [slot]
  const definitions = turn.toolbox.definitionsOf(turn.offered.filter((tool) => suits(tool, atWork, answerers.has)))
  const told = toldBefore(history, turn.prompt)
  const seen = images.length * tokensPerImage
  const room = (model.contextLimit - Math.min(model.outputLimit, outputReserve) - seen) / ratioOf(history)
  const shown = refused === undefined ? fitting(data, room * mostOfData) : []
  const others = [turn.prompt.text, ...reminders, ...[...told, ...shown].map(({ text }) => text)]
  const fixed = others.reduce((sum, text) => sum + tokensIn(text), tokensOfTools(definitions))
  const most = refused === undefined ? room - fixed : Math.min(room - fixed, (refused - fixed - seen) * lessShare)
  const fitted = fitTo(history, Math.floor(most), refused !== undefined)
  const along = {
    reminders,
    data: shown,
    images,
    model: model.name,
    sourceOf: (call: ToolCall) => turn.store.mask(sourceOf(call, turn.toolbox.known)),
  }
  return {
    messages: toModelMessages(turn.prompt.text, [...told, ...fitted], along),
    tools: definitions,
    mayCall: kind === 'step',
    sampling: turn.narrowing?.sampling,
    signal: AbortSignal.any([turn.signal, engine.leaving]),
  }
}

/** The first texts that together have at most this many tokens. */
function fitting(data: Quoted[], tokens: number): Quoted[] {
  let sum = 0
  return data.filter(({ text }) => {
    sum += tokensIn(text)
    return sum <= tokens
  })
}
