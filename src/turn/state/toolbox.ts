import type { Installation, Tool } from '../../domain/tool.ts'
import { reasonOf } from '../../kit/failure.ts'
import { latestMade } from '../../kit/latest-made.ts'
import type { SlotName, ToolDefinition } from '../../kit/model/model.ts'
import { readPrompt } from '../../store/prompts.ts'
import { loadedTools } from '../../store/session-tools.ts'
import type { ProjectRef, Session } from '../../store/sessions.ts'
import type { Store } from '../../store/store.ts'
import { lastTurn, type StoredTurn } from '../../store/turns.ts'
import type { EnabledTools } from '../port/command.ts'
import { type CapabilityName, type Mentioned, mentionsIn } from '../port/mentions.ts'
import type { Narrowing } from '../port/narrowing.ts'
import { turnWords } from '../port/words.ts'
import { toDefinitions } from '../prompt/request.ts'
import { crowdedOut, withRoom } from './crowded.ts'

/** A tool's entry in `config/tools.yaml`. */
export interface Tier {
  enabled: boolean
  always_available?: boolean | undefined
  category?: string | undefined
  tags?: string[] | undefined
  description?: string
  /** How many model calls its results are sent to. */
  rounds?: number
  timeout_ms?: number | undefined
}

/** The bot's tools: those that are always there, and those loaded into a thread when a person names them. */
export interface Toolbox extends EnabledTools {
  in(where: ProjectRef): Toolbox
  /** These, and all others anywhere, also switched off: what they have brought in is still somebody's. */
  readonly known: Tool[]
  /** Loaded when the model asks for them. */
  onDemandIn(session?: Pick<Session, 'parent'>): Tool[]
  /**
   * The tools of a thread: those the model was already `offered`, in that order, then the loaded ones in the order they
   * came. Tools that are new to the bot come last, because a provider caches what is before them. They are no more than
   * a request may describe. A child `session` lacks those that are only for threads.
   */
  of(loaded: string[], offered: string[], session?: Pick<Session, 'parent'>): Tool[]
  /** Their definitions for the model. Built once, by the first turn, because that takes a while. */
  definitionsOf(tools: Tool[]): ToolDefinition[]
  /** What `@name` in a person's message means. `others` are the names that capabilities know. */
  mentionsIn(text: string, others: readonly CapabilityName[]): Mentioned
}

/** For how many places at once it keeps what it makes of their tools. */
const mostPlaces = 50

/**
 * `found` returns what capabilities have found out about; what is made of their tools is made again only when one of
 * these lists is another one. Their words are others', so secrets in them are masked. `tellCrowded` hears of those that
 * a request has no room for.
 */
export function toolbox(
  tools: Tool[],
  tiers: Record<string, Tier>,
  installation: Installation,
  found: (where?: ProjectRef) => (readonly Tool[])[] = () => [],
  secrets: Pick<Store, 'mask'> = { mask: (value) => value },
  tellCrowded: (tools: readonly Tool[]) => void = () => {},
): Toolbox {
  const madeOf = latestMade<Sorted>(mostPlaces)
  const current = (where?: ProjectRef): Sorted => {
    const lists = found(where)
    return madeOf(lists, () => {
      const names = new Set(tools.map(({ name }) => name))
      const others = lists.flat().filter(({ name }) => !names.has(name))
      const shown = others.map((tool) => ({ ...tool, description: secrets.mask(tool.description) }))
      const masked = (of: ToolDefinition) => (names.has(of.name) ? of : secrets.mask(of))
      const made = sorted([...tools, ...shown], tiers, installation, masked)
      if (made.crowded.length > 0) tellCrowded(made.crowded)
      return made
    })
  }
  return toolboxFor(undefined, current, latestMade(mostPlaces))
}

function toolboxFor(
  where: ProjectRef | undefined,
  current: (where?: ProjectRef) => Sorted,
  withOthers: (parts: readonly Tool[][], make: () => Tool[]) => Tool[],
): Toolbox {
  return {
    in: (place) => toolboxFor(place, current, withOthers),
    get all() {
      return current(where).enabled
    },
    get known() {
      const [here, anywhere] = [current(where).known, current().known]
      return withOthers([here, anywhere], () => {
        const names = new Set(here.map(({ name }) => name))
        return [...here, ...anywhere.filter(({ name }) => !names.has(name))]
      })
    },
    get byName() {
      return current(where).byName
    },
    get crowded() {
      return current(where).crowded
    },
    onDemandIn: (session) => current(where).onDemand.filter((tool) => fits(tool, session)),
    lacks: (name) => current(where).lacking.get(name),
    of(loaded, offered, session) {
      const { loadable, always, crowded } = current(where)
      const here = always.filter((tool) => fits(tool, session) && (!tool.retired || offered.includes(tool.name)))
      const named = loaded.flatMap((name) => loadable.find((tool) => tool.name === name && fits(tool, session)) ?? [])
      const kept = crowded.filter((tool) => offered.includes(tool.name))
      const fitting = withRoom(here, named, kept)
      const all = (offered.length === 0 ? [...here, ...named] : [...named, ...here, ...kept]).filter((tool) =>
        fitting.has(tool),
      )
      const before = offered.flatMap((name) => all.find((tool) => tool.name === name) ?? [])
      return [...new Set([...before, ...all])]
    },
    definitionsOf(wanted) {
      const all = current(where).definitions()
      return wanted.flatMap(({ name }) => all.get(name) ?? [])
    },
    mentionsIn: (text, others) => mentionsIn(text, { ...current(where).names, others }),
  }
}

/** Tools tagged with one of these slots are shown only when its model is at work, if there is one. */
export const suits = ({ tags = [] }: Tool, atWork: SlotName[], hasSlot: (slot: SlotName) => boolean): boolean =>
  (['code', 'vision'] as const).every((one) => !tags.includes(one) || atWork.includes(one) || !hasSlot(one))

const fits = ({ onlyInThreads }: Tool, session?: Pick<Session, 'parent'>): boolean =>
  session?.parent === undefined || onlyInThreads !== true

type Sorted = ReturnType<typeof sorted>

function sorted(
  tools: Tool[],
  tiers: Record<string, Tier>,
  installation: Installation,
  masked = (definition: ToolDefinition) => definition,
) {
  const isEnabled = ({ name }: Tool) => tiers[name]?.enabled !== false
  const enabled = tools.filter(isEnabled).map((tool) => {
    const tier: Partial<Tier> = tiers[tool.name] ?? {}
    const { description = tool.description, rounds = tool.rounds, timeout_ms: timeoutMs = tool.timeoutMs, tags } = tier
    return {
      ...tool,
      description,
      ...(rounds !== undefined && { rounds }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(tags !== undefined && { tags }),
    }
  })
  const lacking = new Map(
    enabled.flatMap((tool) => {
      const lacks = whatLacks(tool, installation)
      return lacks === undefined ? [] : [[tool.name, lacks]]
    }),
  )
  const usable = enabled.filter(({ name }) => !lacking.has(name))
  const chosen = ({ name }: Tool) => tiers[name]?.always_available
  const isAlways = (tool: Tool) => !tool.unlisted && (chosen(tool) ?? !(tool.byName || tool.onDemand))
  const crowded = crowdedOut(usable, isAlways, (tool) => chosen(tool) === true)
  const loadable = usable.filter((tool) => !isAlways(tool) || crowded.has(tool))
  const isOnDemand = (tool: Tool) => crowded.has(tool) || (tool.onDemand === true && chosen(tool) === undefined)
  const onDemand = loadable.filter(isOnDemand)
  const byName = loadable.filter((tool) => !tool.unlisted && !isOnDemand(tool))
  const always = usable.filter((tool) => !loadable.includes(tool))
  let built: Map<string, ToolDefinition> | undefined
  const definitions = () =>
    (built ??= new Map(toDefinitions(enabled).map((definition) => [definition.name, masked(definition)])))
  const switchedOff = tools
    .filter((tool) => !isEnabled(tool))
    .map(({ name }) => [name, turnWords.switchedOff()] as const)
  const names = {
    byName: [...byName, ...onDemand].map(({ name }) => name),
    all: [...always, ...byName, ...onDemand].map(({ name }) => name),
    unusable: new Map([...lacking, ...switchedOff]),
  }
  const parts = { lacking, loadable, byName, onDemand, always, crowded: [...crowded] }
  return { known: tools, enabled, definitions, names, ...parts }
}

/** A tool that can't tell isn't offered: whatever it needs may be missing. */
function whatLacks(tool: Tool, installation: Installation): string | undefined {
  try {
    return tool.lacks?.(installation)
  } catch (thrown) {
    return turnWords.cannotTellLack({ reason: reasonOf(thrown) })
  }
}

/** The tools that a session's model is offered, less what its latest turn does without. */
export async function offeredTo(
  session: Session,
  { db }: Store,
  tools: Toolbox,
  narrowing: (session: Session, turn: StoredTurn) => Narrowing | undefined,
): Promise<ToolDefinition[]> {
  const { id, parent, thread } = session
  const prompt = await readPrompt(db, id)
  const here = tools.in(thread)
  const all = here.of(await loadedTools(db, id), prompt?.offered ?? [], { ...(parent && { parent }) })
  const turn = await lastTurn(db, id)
  const left = turn && narrowing(session, turn)
  return here.definitionsOf(all.filter((tool) => left?.has?.(tool) ?? true))
}
