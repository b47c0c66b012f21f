import type { Config } from '../config/config.ts'
import type { Model, ModelRequest, ModelSlot, SlotName } from '../kit/model/model.ts'
import { once } from '../kit/once.ts'
import { Answerers } from '../model/answerers.ts'
import type { NamedModel } from '../turn/port/command.ts'
import type { Foundation } from './foundation.ts'

/** The code of turns and models is loaded once the bot is ready, ms: the SDK alone is about 240 files. */
const loadAfterMs = 1_000

export interface Models {
  model: Model
  answerers: Answerers
  /** The configured models by slot; `base` is always there. */
  slots: ReadonlyMap<SlotName, NamedModel & { model: Model }>
  /** Loads the code of models, and what else a turn needs, in a moment. */
  loadSoon(more: () => Promise<unknown>): void
  stop(): void
}

/** The configured models, or the practice model. `given` replaces the first one. */
export function modelsOf(
  { patience, fallBack, pricesOf: _, ...configured }: Config['model'],
  given: Model | undefined,
  { clock, report }: Pick<Foundation, 'clock' | 'report'>,
): Models {
  const { base, vision } = configured
  const loads: (() => Promise<Model>)[] = []
  const late = (about: Omit<Model, 'stream'>, load: () => Promise<Model>) => {
    const loaded = once(load)
    loads.push(loaded)
    return loadedLate(about, loaded)
  }
  const endpoint = (slot: ModelSlot, name: SlotName) =>
    late({ ...slot, name: slot.id, practice: false }, async () => {
      const { openaiModel, settingsOf } = await import('../model/openai.ts')
      return openaiModel(slot, patience, settingsOf(name), ({ name: tool }, why) =>
        report('a tool that the model’s endpoint refuses is left out', { tool, model: slot.id })(why),
      )
    })
  const practice = () =>
    late({ name: 'practice', practice: true, contextLimit: 128_000, outputLimit: 4_096 }, async () => {
      const { practiceModel } = await import('../kit/practice/practice-model.ts')
      return practiceModel()
    })

  const model = given ?? (base === undefined ? practice() : endpoint(base, 'base'))
  const seeing = vision && (vision === base ? model : endpoint(vision, 'vision'))
  const slots = new Map<SlotName, NamedModel & { model: Model }>([['base', { model, price: base?.price }]])
  const sees = (slot: SlotName) => slot === 'vision' || configured[slot]?.can?.includes('vision') === true
  if (seeing !== undefined) slots.set('vision', { model: seeing, price: vision?.price })
  for (const name of ['reasoning', 'code', 'chat'] as const) {
    const slot = configured[name]
    if (slot !== undefined) slots.set(name, { model: endpoint(slot, name), price: slot.price })
  }
  let timer: NodeJS.Timeout | undefined
  return {
    model,
    answerers: new Answerers(
      [...slots].map(([slot, { model, price }]) => ({ slot, model, price, sees: sees(slot) })),
      fallBack,
      () => clock.now(),
    ),
    slots,
    loadSoon(more) {
      // An error here comes again when the model is asked, and is reported then.
      timer = setTimeout(() => void Promise.allSettled([more, ...loads].map((load) => load())), loadAfterMs).unref()
    },
    stop: () => clearTimeout(timer),
  }
}

function loadedLate(about: Omit<Model, 'stream'>, load: () => Promise<Model>): Model {
  const { name, practice, contextLimit, outputLimit } = about
  let loaded: Model | undefined
  async function* afterLoading(request: ModelRequest) {
    loaded = await load()
    yield* loaded.stream(request)
  }
  return {
    name,
    practice,
    contextLimit,
    outputLimit,
    // Without a generator in between, which costs several rounds for each piece of a reply.
    stream: (request) => loaded?.stream(request) ?? afterLoading(request),
  }
}
