import type { z } from 'zod'
import type { ModelSlot } from '../kit/model/model.ts'
import type { Complaint } from './config.ts'
import { type Environment, inEnvironment, isHttpUrl } from './environment.ts'
import type { modelsFile } from './schema.ts'

type ModelsFile = z.infer<typeof modelsFile>
type SlotName = keyof ModelsFile['slots']
type Place = Pick<Complaint, 'file' | 'line' | 'column'>
type Part = 'API_KEY' | 'BASE_URL' | 'ID'

interface SlotSource {
  models: ModelsFile
  placeOf(path: PropertyKey[]): Place
  environment: Environment
}

const openaiUrl = 'https://api.openai.com/v1'

/** The prefixes of each slot's environment variables. The first one is documented. */
const prefixes: Record<SlotName, string[]> = {
  base: ['MODEL_BASE', 'MODEL_BASIC'],
  vision: ['MODEL_VISION', 'MODEL_MULTIMODAL'],
}

/**
 * The models; the environment overrides the file. `base` is undefined when no model is named. Images go to `vision`:
 * its own slot, or `base` if that is known to see.
 */
export function readSlots(
  { value: models, placeOf }: { value: ModelsFile; placeOf(path: PropertyKey[]): Place },
  environment: Environment,
  complaints: Complaint[],
): { base: ModelSlot | undefined; vision: ModelSlot | undefined } {
  const source = { models, placeOf, environment }
  const base = readSlot('base', source, undefined, complaints)
  const vision = readSlot('vision', source, base, complaints)
  return { base, vision: vision ?? (base !== undefined && sees(base, models) ? base : undefined) }
}

const sees = (base: ModelSlot, { slots, known, unknown }: ModelsFile): boolean =>
  slots.base?.sees ?? (known[base.id] ?? unknown).sees ?? false

/** A slot that names only a model takes endpoint, address and key from `neighbour`. */
function readSlot(
  name: SlotName,
  source: SlotSource,
  neighbour: ModelSlot | undefined,
  complaints: Complaint[],
): ModelSlot | undefined {
  const { models, environment } = source
  const written = models.slots[name] ?? {}
  const variable = (part: Part): string =>
    prefixes[name].map((prefix) => `${prefix}_${part}`).find((candidate) => environment[candidate]) ??
    `${prefixes[name][0]}_${part}`
  const from = (part: Part): string | undefined => environment[variable(part)] || undefined

  const faults: Complaint[] = []
  const ownKey = from('API_KEY') ?? expand(written.api_key, name, source, faults)
  const ownUrl = from('BASE_URL') ?? written.base_url
  const id = from('ID') ?? written.id
  if (!ownKey && !ownUrl && !id && faults.length === 0) return undefined

  const lent = ownKey || ownUrl ? undefined : neighbour
  const baseUrl = ownUrl ?? lent?.baseUrl
  const apiKey = ownKey || lent?.apiKey
  if (!id) {
    const remedy = 'Set it to the id of the model, such as gpt-4o.'
    faults.push(inEnvironment(`${variable('ID')} is missing`, remedy))
  } else if (baseUrl && !isHttpUrl(baseUrl)) {
    const remedy = `Use an address such as ${openaiUrl}.`
    faults.push(inEnvironment(`${variable('BASE_URL')} is "${baseUrl}"`, remedy))
  } else if (!baseUrl && !apiKey && faults.length === 0) {
    const remedy = `Set it, or ${variable('BASE_URL')} for a server that needs no key.`
    faults.push(inEnvironment(`${variable('API_KEY')} is missing`, remedy))
  }
  complaints.push(...faults)
  if (!id || faults.length > 0) return undefined

  const known = models.known[id] ?? models.unknown
  return {
    id,
    baseUrl: baseUrl ?? openaiUrl,
    apiKey: apiKey ?? '',
    contextLimit: written.context ?? known.context,
    outputLimit: written.output ?? known.output,
    temperature: written.temperature ?? models.temperature,
    price: written.price ?? known.price,
  }
}

/** Replaces `${NAME}` by the environment's values. */
function expand(
  text: string | undefined,
  name: SlotName,
  { placeOf, environment }: SlotSource,
  faults: Complaint[],
): string | undefined {
  return text?.replace(/\$\{(\w+)\}/g, (_, variable: string) => {
    if (environment[variable] === undefined) {
      const remedy = `Set ${variable}, in .env for example.`
      faults.push({ ...placeOf(['slots', name, 'api_key']), message: `${variable} is not set`, remedy })
    }
    return environment[variable] ?? ''
  })
}
