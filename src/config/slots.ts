import { type EmbeddingSlot, type ModelSlot, type PaidSlot, type SlotName, slotNames } from '../kit/model/model.ts'
import type { Complaint } from './config.ts'
import { type Environment, inEnvironment, isHttpUrl } from './environment.ts'
import { knownModels, type ModelsFile, mostDimensions } from './models.ts'
import { figureOf, figuresOf, parts, type Variables } from './slot-figures.ts'
import { configWords } from './words.ts'

type Place = Pick<Complaint, 'file' | 'line' | 'column'>

interface SlotSource {
  models: ModelsFile
  known(): ModelsFile['known']
  placeOf(path: PropertyKey[]): Place
  environment: Environment
}

const openaiUrl = 'https://api.openai.com/v1'

/** The prefixes of each slot's environment variables. The first one is documented. */
const prefixes: Record<PaidSlot, string[]> = {
  base: ['MODEL_BASE', 'MODEL_BASIC'],
  reasoning: ['MODEL_REASONING'],
  vision: ['MODEL_VISION', 'MODEL_MULTIMODAL'],
  code: ['MODEL_CODE'],
  chat: ['MODEL_CHAT'],
  embedding: ['MODEL_EMBEDDING'],
}

/** The names of all variables that configure a model. */
export const modelVariables = (): string[] =>
  Object.values(prefixes).flatMap((names) => names.flatMap((prefix) => parts.map((part) => `${prefix}_${part}`)))

/**
 * The models; the environment overrides the file. `base` is undefined when no model is named. Images go to `vision`:
 * its own slot, or `base` if that is known to see.
 */
export function readSlots(
  { value: models, placeOf }: { value: ModelsFile; placeOf(path: PropertyKey[]): Place },
  environment: Environment,
  complaints: Complaint[],
): Record<SlotName, ModelSlot | undefined> & { embedding: EmbeddingSlot | undefined } {
  let read: ModelsFile['known'] | undefined
  const known = () => (read ??= knownModels(models))
  const source = { models, known, placeOf, environment }
  const base = readSlot('base', source, undefined, complaints)
  const others = slotNames
    .filter((name) => name !== 'base')
    .map((name) => [name, readSlot(name, source, base, complaints)] as const)
  const slots = { base, ...Object.fromEntries(others) } as Record<SlotName, ModelSlot | undefined>
  const sees = base !== undefined && (models.slots.base?.sees ?? base.can?.includes('vision') ?? false)
  const embedding = readEmbedding(source, base, complaints)
  return { ...slots, vision: slots.vision ?? (sees ? base : undefined), embedding }
}

function readEmbedding(
  source: SlotSource,
  base: ModelSlot | undefined,
  complaints: Complaint[],
): EmbeddingSlot | undefined {
  const slot = readSlot('embedding', source, base, complaints)
  if (slot === undefined) return undefined
  const variables = variablesOf('embedding', source.environment)
  const dimensions =
    figureOf('DIMENSIONS', variables, [1, mostDimensions], complaints) ?? source.models.slots.embedding?.dimensions
  return { ...slot, ...(dimensions === undefined ? {} : { dimensions }) }
}

function variablesOf(name: PaidSlot, environment: Environment): Variables {
  const named: Variables['named'] = (part) =>
    prefixes[name].map((prefix) => `${prefix}_${part}`).find((candidate) => environment[candidate]) ??
    `${prefixes[name][0]}_${part}`
  return { named, read: (part) => environment[named(part)] || undefined }
}

/** A slot that names only a model takes endpoint, address and key from `neighbour`. */
function readSlot(
  name: PaidSlot,
  source: SlotSource,
  neighbour: ModelSlot | undefined,
  complaints: Complaint[],
): ModelSlot | undefined {
  const { models, environment } = source
  const written = models.slots[name] ?? {}
  const variables = variablesOf(name, environment)

  const faults: Complaint[] = []
  const ownKey = variables.read('API_KEY') ?? expand(written.api_key, name, source, faults)
  const ownUrl = variables.read('BASE_URL') ?? written.base_url
  const id = variables.read('ID') ?? written.id
  if (!ownKey && !ownUrl && !id && faults.length === 0) return undefined

  const lent = ownKey || ownUrl ? undefined : neighbour
  const baseUrl = ownUrl ?? lent?.baseUrl
  const apiKey = ownKey || lent?.apiKey
  if (!id) {
    const remedy = configWords.modelIdRemedy()
    faults.push(inEnvironment(`${variables.named('ID')} is missing`, remedy))
  } else if (baseUrl && !isHttpUrl(baseUrl)) {
    const remedy = configWords.baseUrlRemedy({ openaiUrl })
    faults.push(inEnvironment(configWords.notHttpUrl({ name: variables.named('BASE_URL') }), remedy))
  } else if (!baseUrl && !apiKey && faults.length === 0) {
    const remedy = configWords.apiKeyRemedy({ named: variables.named('BASE_URL') })
    faults.push(inEnvironment(`${variables.named('API_KEY')} is missing`, remedy))
  }
  const figures = id ? figuresOf(id, written, { ...models, known: source.known() }, variables, faults) : undefined
  complaints.push(...faults)
  if (!id || figures === undefined || faults.length > 0) return undefined
  return { id, baseUrl: baseUrl ?? openaiUrl, apiKey: apiKey ?? '', ...figures }
}

/** Replaces `${NAME}` by the environment's values. */
function expand(
  text: string | undefined,
  name: PaidSlot,
  { placeOf, environment }: SlotSource,
  faults: Complaint[],
): string | undefined {
  return text?.replace(/\$\{(\w+)\}/g, (_, variable: string) => {
    if (environment[variable] === undefined) {
      const remedy = configWords.unsetVariableRemedy({ variable })
      faults.push({ ...placeOf(['slots', name, 'api_key']), message: `${variable} is not set`, remedy })
    }
    return environment[variable] ?? ''
  })
}
