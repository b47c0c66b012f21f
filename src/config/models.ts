import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { milliseconds } from './figures.ts'
import { isRecord, overlay } from './overlay.ts'

const tokens = z.int().min(1)
const dollars = z.number().min(0)

/** Numbers in a vector. */
export const mostDimensions = 8192

const price = z
  .strictObject({
    input: dollars,
    cached: dollars.optional().describe('Read from the cache; the price of input if missing'),
    written: dollars.optional().describe('Written to the cache; the price of input if missing'),
    output: dollars,
  })
  .describe('US dollars per million tokens')

/** What a model may be known to do. */
const abilities = ['vision', 'tools', 'streaming', 'json', 'reasoning'] as const

const sees = z.boolean().describe('Whether it can be shown images; the same as `vision` in `can`')

const limits = z.strictObject({
  context: tokens,
  output: tokens,
  price: price.optional(),
  sees: sees.optional(),
  can: z.array(z.enum(abilities)).optional(),
})

const slot = z.strictObject({
  id: z.string().min(1).optional(),
  base_url: z.url({ protocol: /^https?$/ }).optional(),
  api_key: z.string().optional(),
  context: tokens.optional(),
  output: tokens.optional(),
  price: price.optional(),
  temperature: z.number().min(0).max(2).optional(),
})

const slots = z.strictObject({
  base: slot.extend({ sees: sees.optional() }).optional().describe('Answers, unless another one is better suited'),
  reasoning: slot.optional().describe('Answers what is hard'),
  vision: slot.optional().describe('Answers messages with images'),
  code: slot.optional().describe('Answers what is about code'),
  chat: slot.optional().describe('Words the last answer of a turn that has run out of steps'),
  embedding: slot
    .omit({ output: true, temperature: true })
    .extend({ dimensions: tokens.max(mostDimensions).optional() })
    .optional()
    .describe('Makes vectors of texts, so that passages are found by their meaning'),
})

const known = z.record(z.string(), limits)

/** What Bobbin itself knows about models. It's JSON, because YAML takes much longer to read. */
const shippedModels = (): z.infer<typeof known> =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, '../../config/known_models.json'), 'utf8'))

const isEmpty = (own: object): boolean => Object.keys(own).length === 0

/** `config/models.yaml`. */
export const modelsFile = z.strictObject({
  slots,
  temperature: z.number().min(0).max(2),
  unknown: limits,
  patience: z.strictObject({
    attempts: z.int().min(1).max(20),
    base_delay_ms: milliseconds,
    max_delay_ms: milliseconds,
    max_retry_after_ms: milliseconds,
    first_output_timeout_ms: milliseconds,
    idle_timeout_ms: milliseconds,
    total_timeout_ms: milliseconds,
    call_timeout_ms: milliseconds,
    turn_timeout_ms: milliseconds,
  }),
  fall_back: z.strictObject({ after_failures: z.int().min(1), rest_ms: milliseconds }),
  probe_at_start: z.boolean().describe('Whether a start asks the base model’s endpoint if it accepts the key'),
  prices_of: z.iso.date().describe('When the prices in known_models.json were looked up'),
  known: z
    .preprocess((own) => (isRecord(own) && !isEmpty(own) ? overlay(shippedModels(), own) : own), known)
    .describe('Added to known_models.json, which has the same form'),
})

export type ModelsFile = z.infer<typeof modelsFile>
export type KnownModel = z.infer<typeof limits>

/** Everything that is known. Without entries of the team's own, the shipped file is read only if a model is set up. */
export const knownModels = ({ known }: ModelsFile): ModelsFile['known'] => (isEmpty(known) ? shippedModels() : known)

/** `openai/gpt-4o-2024-11-20` is `gpt-4o`: gateways put the provider before an id, and providers a date after it. */
export function knownModel(id: string, known: ModelsFile['known']): KnownModel | undefined {
  const own = (name: string) => (Object.hasOwn(known, name) ? known[name] : undefined)
  const bare = id.slice(id.lastIndexOf('/') + 1)
  const undated = bare.replace(/:[a-z]+$/, '').replace(/[-@](\d{4}-?\d{2}-?\d{2}|latest)$/, '')
  return own(id) ?? own(bare) ?? own(undated) ?? own(undated.replace(/\./g, '-'))
}
