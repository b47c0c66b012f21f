import { reasonOf } from '../domain/errors.ts'
import { broken, type Finding, fine, mind } from '../domain/finding.ts'
import type { Model } from '../domain/model.ts'

const longEnoughMs = 60_000
const settings = 'MODEL_BASE_API_KEY, MODEL_BASE_BASE_URL and MODEL_BASE_ID'

/** Asks the model for one word. Costs a few tokens. */
export async function* modelFindings(model: Model): AsyncGenerator<Finding> {
  if (model.practice) {
    yield mind(
      'The practice model answers: it needs no account, and knows a few tricks only.',
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
    yield broken(`The model ${model.name} does not answer. ${reasonOf(thrown)}`, `The settings are ${settings}.`)
  }
}
