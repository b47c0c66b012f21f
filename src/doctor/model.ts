import { broken, type Finding, fine, mind } from '../domain/finding.ts'
import { reasonOf } from '../kit/failure.ts'
import type { Model } from '../kit/model/model.ts'

const longEnoughMs = 60_000
/** Asks the model for one word, which costs a few tokens. `slot` is its name in the environment, such as `BASE`. */
export async function* modelFindings(model: Model, slot: string): AsyncGenerator<Finding> {
  const settings = `MODEL_${slot}_API_KEY, MODEL_${slot}_BASE_URL and MODEL_${slot}_ID`
  if (model.practice) {
    yield mind(
      'The practice model answers: it needs no account, and knows only a few tricks.',
      `For a real model, set ${settings} in .env.`,
    )
    return
  }
  try {
    const signal = AbortSignal.timeout(longEnoughMs)
    const messages = [{ role: 'user' as const, content: 'Reply with the word "ready" and nothing else.' }]
    for await (const { kind } of model.stream({ messages, tools: [], signal })) {
      if (kind === 'end') break
    }
    yield fine(`The model ${model.name} answers.`)
  } catch (thrown) {
    yield broken(`The model ${model.name} doesn’t answer. ${reasonOf(thrown)}`, `The settings are ${settings}.`)
  }
}
