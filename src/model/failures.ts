import { APIConnectionError, APIError } from 'openai'
import { reasonOf } from '../kit/failure.ts'
import { ModelFailure } from '../kit/model/model.ts'
import { oneLine } from '../kit/text/text.ts'
import { saysFiltered, saysNoTools, saysTooLong, surelyTooLong } from './refusals.ts'
import { codeOf, fates } from './retry-table.ts'
import { modelWords } from './words.ts'

/** What an error message may name: the settings of the slot, and what must stay out of it. */
export interface SlotSettings {
  keySetting: string
  urlSetting: string
  idSetting: string
}

export interface Endpoint extends SlotSettings {
  host: string
  id: string
  apiKey: string
}

/** How long the provider wants us to wait, in ms from `now`. Undefined if it doesn't say. */
export function retryAfterOf(headers: Headers | undefined, now: number): number | undefined {
  const exact = Number.parseFloat(headers?.get('retry-after-ms') ?? '')
  if (exact >= 0) return exact
  const wish = headers?.get('retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(wish)) return Math.round(Number(wish) * 1000)
  const date = Date.parse(wish)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** The provider's message, for people: one line, short, and without anything that looks like a key. */
export function withoutKeys(words: string, apiKey: string): string {
  const clean = apiKey === '' ? words : words.replaceAll(apiKey, '***')
  return oneLine(clean.replace(/\b(sk|pk|key|Bearer)[-_ ][\w*.-]{6,}/g, '$1-***'), 300)
}

export function refusal(status: number, words: string, endpoint: Endpoint, why?: ModelFailure['why']): string {
  if (why === 'tools') {
    const { id, host, idSetting } = endpoint
    return modelWords.toolsRefused({ id, host, idSetting, words })
  }
  if (why === 'filter') return modelWords.promptFiltered({ host: endpoint.host, words })
  if (status === 401) {
    return endpoint.apiKey === ''
      ? modelWords.keyMissing({ host: endpoint.host, keySetting: endpoint.keySetting })
      : modelWords.keyRefused({ keySetting: endpoint.keySetting })
  }
  if (status === 402) return modelWords.creditUsedUp({ host: endpoint.host, keySetting: endpoint.keySetting })
  if (status === 403) {
    return modelWords.modelForbidden({
      id: endpoint.id,
      host: endpoint.host,
      keySetting: endpoint.keySetting,
      idSetting: endpoint.idSetting,
      words,
    })
  }
  if (status === 404) {
    return modelWords.unknownModel({
      id: endpoint.id,
      host: endpoint.host,
      idSetting: endpoint.idSetting,
      urlSetting: endpoint.urlSetting,
      words,
    })
  }
  return modelWords.requestRefused({ status, words, idSetting: endpoint.idSetting })
}

/** What a refusal with this status means. */
const reasons = new Map([
  [401, 'key'],
  [402, 'credit'],
  [403, 'rights'],
  [404, 'model'],
  [413, 'length'],
] as const)

/** The words say more than the status, except where it is about the account. */
function whyRefused(status: number, error: APIError): ModelFailure['why'] {
  const why = reasons.get(status as 401)
  if (why === 'key' || why === 'credit') return why
  if (saysTooLong(error)) return 'length'
  if (saysNoTools(error)) return 'tools'
  return saysFiltered(error) ? 'filter' : why
}

function statusFailure(status: number, error: APIError, endpoint: Endpoint, now: number): ModelFailure {
  const words = withoutKeys(error.message, endpoint.apiKey)
  // The error itself is left out: it quotes the provider, and some providers quote the key.
  const options = { cause: new Error(words) }
  const code = codeOf(status, error.code)
  const { retry } = fates[code]
  // An account without money says 429.
  const refused = code === 'refused' && status === 429 ? 402 : status
  const why = code === 'refused' ? whyRefused(refused, error) : undefined
  const message = {
    rate_limited: modelWords.rateLimited({ host: endpoint.host }),
    unavailable: modelWords.endpointFailing({ host: endpoint.host, words }),
    refused: refusal(refused, words, endpoint, why),
  }[code]
  return new ModelFailure(code, message, retry, retry ? retryAfterOf(error.headers, now) : undefined, {
    ...options,
    why,
  })
}

/** An error inside a stream has no status of its own; some gateways put one into `code`. */
function statusInside(error: APIError): number {
  const code = Number(error.code)
  if (code >= 400 && code < 600) return code
  return surelyTooLong(error) ? 400 : 503
}

/** The innermost cause says ECONNREFUSED where the outer errors say "fetch failed". */
function rootReason(thrown: unknown): string {
  let cause = thrown
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause
  return cause instanceof Error && 'code' in cause ? `${cause.code}` : reasonOf(cause)
}

/** `begun`: the endpoint had started to answer. */
export function failureOf(thrown: unknown, endpoint: Endpoint, begun: boolean, now: number): ModelFailure {
  if (thrown instanceof ModelFailure) return thrown
  if (thrown instanceof APIError && !(thrown instanceof APIConnectionError)) {
    return statusFailure(thrown.status ?? statusInside(thrown), thrown, endpoint, now)
  }
  const reason = withoutKeys(rootReason(thrown), endpoint.apiKey)
  const options = { cause: thrown }
  if (begun) return new ModelFailure('cut', modelWords.replyCutBecause({ reason }), true, undefined, options)
  return new ModelFailure(
    'unavailable',
    modelWords.endpointUnreachable({ host: endpoint.host, reason, urlSetting: endpoint.urlSetting }),
    true,
    undefined,
    { ...options, unreachable: true },
  )
}
