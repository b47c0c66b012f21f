import type { Message, ToolCall } from '../../domain/messages.ts'
import type { ModelImage, ModelRequest, SlotName } from '../../kit/model/model.ts'
import { outputReserve, tokensIn, tokensOfTools, tokensPerImage } from '../../kit/model/tokens.ts'
import type { Answerer } from '../../model/answerers.ts'
import { sourceOf } from '../../trust/untrusted.ts'
import { asks } from '../port/history.ts'
import { ratioOf, tokensOf } from '../port/weigh.ts'
import { toModelMessages } from '../prompt/request.ts'
import { toldBefore } from '../state/system-prompt.ts'
import { suits } from '../state/toolbox.ts'
import type { Turn } from '../state/turn.ts'
import { type UploadText, unshownLine } from './upload-texts.ts'
import { fitTo } from './window.ts'

/** The texts of uploads fill at most this share of what a model can read, or one this much. Others are only named. */
const mostOfData = 0.25
const mostOfOne = 0.5
/** And at most this share of what the prompt, the tools and the latest request leave, so that this one stays whole. */
const mostOfRest = 0.75

/** When a model refuses a request as too long, the messages of the next one have at most this share of its messages. */
const lessShare = 0.4

/**
 * What a model is sent, made to fit it. `refused`: about how many tokens the last request had, if it was too long. It
 * had no images, because a request with images that fails is made without them.
 */
export function modelRequest(
  { slot, model }: Answerer,
  kind: 'step' | 'last',
  { history, refused }: { history: Message[]; refused: number | undefined },
  { reminders: given, data, images }: { reminders: string[]; data: UploadText[]; images: ModelImage[] },
  turn: Turn,
): ModelRequest {
  const { engine, answerers } = turn.bot
  const atWork: SlotName[] = images.length > 0 || turn.hasShownImages ? [slot, 'vision'] : [slot]
  const definitions = turn.toolbox.definitionsOf(turn.offered.filter((tool) => suits(tool, atWork, answerers.has)))
  const told = toldBefore(history, turn.prompt)
  const seen = images.length * tokensPerImage
  const room = (model.contextLimit - Math.min(model.outputLimit, outputReserve) - seen) / ratioOf(history)
  const always = tokensOfTools(definitions) + inAll([turn.prompt.text, ...given, ...told.map(({ text }) => text)])
  const asked = history.findLast(asks)
  const rest = room - always - (asked === undefined ? 0 : tokensOf(asked))
  const shown = refused === undefined ? fitting(data, room, rest * mostOfRest) : []
  const unshown = unshownLine(data.filter((one) => !shown.includes(one)))
  const fixed = always + inAll([...unshown, ...shown.map(({ text }) => text)])
  const most = refused === undefined ? room - fixed : Math.min(room - fixed, (refused - fixed) * lessShare)
  const fitted = fitTo(history, Math.floor(most), refused !== undefined)
  const along = {
    reminders: [...given, ...unshown],
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

const inAll = (texts: string[]): number => texts.reduce((sum, text) => sum + tokensIn(text), 0)

/** Those texts, the most wanted first, for which there is room. */
function fitting(data: UploadText[], room: number, most: number): UploadText[] {
  let sum = 0
  return data.filter(({ text }) => {
    const tokens = tokensIn(text)
    if (sum + tokens > Math.min(most, room * (sum === 0 ? mostOfOne : mostOfData))) return false
    sum += tokens
    return true
  })
}
