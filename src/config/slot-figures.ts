import type { ModelSlot, Price, SlotName } from '../kit/model/model.ts'
import type { Complaint } from './config.ts'
import { inEnvironment } from './environment.ts'
import { type KnownModel, knownModel, type ModelsFile } from './models.ts'
import { configWords } from './words.ts'

const prices = ['PRICE_INPUT', 'PRICE_OUTPUT', 'PRICE_CACHED', 'PRICE_WRITTEN'] as const
const figures = ['CONTEXT', 'OUTPUT', 'DIMENSIONS', 'TEMPERATURE', ...prices] as const

/** How the variables of a slot end. */
export const parts = ['API_KEY', 'BASE_URL', 'ID', ...figures] as const

type Figure = (typeof figures)[number]
type Part = (typeof parts)[number]

/** The environment's variables of one slot. */
export interface Variables {
  named(part: Part): string
  read(part: Part): string | undefined
}

type Written = NonNullable<ModelsFile['slots'][SlotName]>
type Figures = Omit<ModelSlot, 'id' | 'baseUrl' | 'apiKey'>

/** Limits, price and abilities: from the environment, the slot's own settings, the catalogue, or assumed. */
export function figuresOf(
  id: string,
  written: Written,
  models: ModelsFile,
  variables: Variables,
  faults: Complaint[],
): Figures {
  const known = knownModel(id, models.known)
  const figure = (part: Figure, ...allowed: [least: number, most: number]) => figureOf(part, variables, allowed, faults)
  const context = figure('CONTEXT', 1, Number.MAX_SAFE_INTEGER) ?? written.context
  const output = figure('OUTPUT', 1, Number.MAX_SAFE_INTEGER) ?? written.output
  const from = known ?? models.unknown
  const temperature = figure('TEMPERATURE', 0, 2) ?? written.temperature ?? models.temperature
  return {
    contextLimit: context ?? from.context,
    outputLimit: output ?? from.output,
    temperature,
    price: priceOf(written.price ?? from.price, figure),
    can: abilitiesOf(from),
    ...(known === undefined && (context === undefined || output === undefined) && { assumed: true }),
  }
}

function abilitiesOf({ can, sees }: KnownModel): readonly string[] | undefined {
  if (sees === undefined) return can
  const others = (can ?? []).filter((ability) => ability !== 'vision')
  return sees ? [...others, 'vision'] : others
}

/** The environment wins. If it sets only half of a price, the other half costs nothing. */
function priceOf(
  listed: Price | undefined,
  figure: (part: Figure, least: number, most: number) => number | undefined,
): Price | undefined {
  const dollars = (part: Figure) => figure(part, 0, 1_000_000)
  const own = {
    input: dollars('PRICE_INPUT'),
    output: dollars('PRICE_OUTPUT'),
    cached: dollars('PRICE_CACHED'),
    written: dollars('PRICE_WRITTEN'),
  }
  if (Object.values(own).every((value) => value === undefined)) return listed
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
  // Otherwise a cache price from the list would be combined with an input price it doesn't belong to.
  const rest = own.input === undefined ? listed : { output: listed?.output ?? 0 }
  return { input: 0, output: 0, ...rest, ...given }
}

/** Undefined if it isn't set, or no such number. */
export function figureOf(
  part: Figure,
  variables: Variables,
  [least, most]: [number, number],
  faults: Complaint[],
): number | undefined {
  const text = variables.read(part)
  if (text === undefined) return undefined
  const value = Number(text)
  const isTokens = part === 'CONTEXT' || part === 'OUTPUT'
  const whole = isTokens || part === 'DIMENSIONS'
  if (value >= least && value <= most && (!whole || Number.isInteger(value))) return value
  const name = variables.named(part)
  if (isTokens) faults.push(inEnvironment(configWords.notTokens({ name }), configWords.tokensRemedy()))
  else {
    const fact = whole ? configWords.notWhole({ name, least, most }) : configWords.notNumber({ name, least, most })
    faults.push(inEnvironment(fact, configWords.numberRemedy({ example: whole ? '1024' : '0.7' })))
  }
  return undefined
}
