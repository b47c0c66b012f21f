import type { Config } from '../config/config.ts'
import type { RemoteFile } from '../domain/chat.ts'
import type { Engine } from '../domain/engine.ts'
import type { Tool } from '../domain/tool.ts'
import { type Looking, lookOften } from '../engine/look-often.ts'
import { NodesSeen } from '../engine/watch-nodes.ts'
import { atOnceWithin, descriptorLimit, hasDescriptors } from '../kit/descriptors.ts'
import { atMost } from '../kit/sandbox/at-once.ts'
import { lateSandbox } from '../kit/sandbox/late.ts'
import type { Sandbox } from '../kit/sandbox/port.ts'
import { openUnconfined } from '../kit/sandbox/unconfined.ts'
import { consolePlatform } from '../platforms/console/console.ts'
import type { ChatPlatform, PlatformDeps } from '../platforms/platform.ts'
import { runnableSessions } from '../store/inbox.ts'
import { isLockedByAnother } from '../store/lock.ts'
import { nodeNotes } from '../store/node-notes.ts'
import { notesIn } from '../store/notes.ts'
import type { ProjectRef, Session } from '../store/sessions.ts'
import { compileRules, type Rules } from '../trust/rules.ts'
import { Capabilities } from '../turn/hooks/capabilities.ts'
import type { Capability } from '../turn/port/capability.ts'
import { settingsOf } from '../turn/port/settings-of.ts'
import type { TurnServices } from '../turn/state/services.ts'
import { Suspects } from '../turn/state/suspects.ts'
import { offeredTo, type Toolbox, toolbox } from '../turn/state/toolbox.ts'
import { isStaged } from '../workspace/staging.ts'
import type { Surroundings } from './bot.ts'
import { connectPlatforms } from './connect.ts'
import { apiOf, hearingWith } from './doors.ts'
import { openEngine } from './engine.ts'
import type { Foundation } from './foundation.ts'
import { type LookDeps, looksOf } from './looks.ts'
import { type Models, modelsOf } from './models.ts'
import { allTools } from './names.ts'
import { Shared } from './nodes.ts'
import { openOutgoing } from './outgoing.ts'
import { openReading } from './reading.ts'
import { warnOfCrowded } from './reports.ts'
import { checkSections, requiresSandbox } from './settings.ts'
import { Soundness } from './soundness.ts'
import { checkRules, type IdleRule } from './unknown-names.ts'
import { version } from './version.ts'

export type Assembled = Awaited<ReturnType<typeof assemble>>

interface Abilities {
  capabilities: readonly Capability[]
  tools: Tool[]
  idleRules: IdleRule[]
}

/** What the bot can do. Throws where the configuration names what no capability has, and for settings of plug-ins. */
export function abilitiesOf(config: Config, builtin: readonly Capability[], plugins: readonly Capability[]): Abilities {
  const tools = allTools(builtin, plugins)
  const capabilities = [...builtin, ...plugins]
  const idleRules = checkRules(config, tools, capabilities)
  checkSections(config, capabilities)
  for (const plugin of plugins) settingsOf(config, plugin)
  return { capabilities, tools, idleRules }
}

/** Connects everything on the foundation. Nothing runs yet. */
export async function assemble(foundation: Foundation, abilities: Abilities, surroundings: Surroundings) {
  const { config, store, report } = foundation
  const capabilities = new Capabilities(abilities.capabilities, config, (capability, hook, thrown) =>
    report('a capability failed', { capability, hook })(thrown),
  )
  const aside = asideOf(config, () => bot)
  const reading = openReading(foundation, surroundings, aside)
  const { workspaces, web } = reading
  const descriptors = descriptorLimit()
  const atOnce = atOnceWithin(config.engine.turnsAtOnce, descriptors)
  const confined = surroundings.sandbox ?? lateSandbox()
  const sandbox = atMost(atOnce.commands, requiresSandbox(config) ? confined : openUnconfined(confined))
  const { engine, takeOver, letGo } = await openEngine(foundation, {
    ...config.engine,
    turnsAtOnce: atOnce.turns,
    hasRoom: hasDescriptors(descriptors),
    runnable: () => runnableSessions(store.db),
    report: (session, thrown) => foundation.report('a session failed', { session })(thrown),
  })
  const shared = config.node === undefined ? undefined : new Shared(foundation)
  const platforms = await openPlatforms(foundation, surroundings, shared)
  const rules = compileRules(config.rules)
  const outgoing = openOutgoing(foundation, platforms, workspaces, rules, (session) => engine.wake(session))
  const { deliverer, formerCalls } = outgoing
  const answering = modelsOf(config.model, surroundings.model, foundation)
  const found = (where?: ProjectRef) => capabilities.found(bot, where)
  const tools = toolbox(abilities.tools, config.tiers, { web }, found, store, warnOfCrowded(foundation.log))
  const looking = lookingOf({ ...foundation, engine, rules, platforms, deliverer, machine: surroundings.machine })
  const { looks, dueLooks } = looking
  const parts = { capabilities, reading, sandbox, engine, platforms, rules, outgoing, answering, tools, looking, aside }
  const bot: TurnServices = servicesOf(foundation, parts)
  const hearDeps = hearingWith(bot, foundation, surroundings)
  const nodes = new NodesSeen(config.engine.silentMs)
  const closing = new AbortController()
  const soundness = store.keeper && new Soundness(foundation, store.keeper)
  const api = apiOf(bot, foundation, hearDeps, {
    model: answering.model,
    silent: () => nodes.silent,
    closing: closing.signal,
  })
  const opened = { bot, answering, hearDeps, api, looks, dueLooks, soundness, shared, takeOver, letGo, nodes, closing }
  return { ...opened, ...reading, deliverer, formerCalls }
}

interface Parts {
  capabilities: Capabilities
  reading: ReturnType<typeof openReading>
  sandbox: Sandbox
  engine: Engine
  platforms: ReadonlyMap<string, ChatPlatform>
  rules: Rules
  outgoing: ReturnType<typeof openOutgoing>
  answering: Models
  tools: Toolbox
  looking: ReturnType<typeof lookingOf>
  aside: ReturnType<typeof asideOf>
}

function servicesOf(foundation: Foundation, parts: Parts): TurnServices {
  const { config, store, clock, report, staging, lock, secrets } = foundation
  const { reading, outgoing, platforms, answering, tools, looking, aside } = parts
  return {
    version,
    config,
    store,
    clock,
    report,
    holder: lock.holder,
    learnSecrets: secrets.learn,
    engine: parts.engine,
    rules: parts.rules,
    platforms,
    isMember: async ({ thread }, person, group) =>
      (await platforms.get(thread.platform)?.isMember(thread, person.id, group)) ?? false,
    workspaces: reading.workspaces,
    documents: reading.documents,
    web: reading.web,
    sandbox: parts.sandbox,
    capabilities: parts.capabilities,
    toolbox: tools,
    mayFind: parts.capabilities.mayFind,
    offeredTo: (session: Session) =>
      offeredTo(session, store, tools, (one, turn) => parts.capabilities.narrowing(one, turn)),
    suspects: new Suspects(),
    statuses: new Map(),
    liveTexts: outgoing.liveTexts,
    textStream: outgoing.textStream,
    outputStream: outgoing.outputStream,
    presenter: outgoing.presenter,
    formerCalls: outgoing.formerCalls,
    outages: outgoing.outages,
    answerers: answering.answerers,
    models: answering.slots,
    write: aside.write,
    embed: aside.embed,
    whenDue: looking.whenDue,
    awakeSince: () => looking.dueLooks.awakeSince,
    often: looking.often,
    async fetch(platform: string, file: RemoteFile) {
      if (isStaged(file)) return staging.open(file)
      const from = platforms.get(platform)
      if (from === undefined) throw new Error(`${platform} is not connected`)
      return from.download(file)
    },
    drop: staging.drop,
  }
}

/** What is looked for: what may be due, and what capabilities ask for. */
function lookingOf(deps: LookDeps) {
  const { config, report } = deps
  const dueLooks = looksOf(deps)
  const looks: Looking[] = [dueLooks]
  const whenDue: TurnServices['whenDue'] = (what, nextAt, look) =>
    dueLooks.add({ nextAt: () => nextAt, look, report: report(`${what} failed`) })
  const often: TurnServices['often'] = (what, look, everyMs = config.engine.clockMs, options) =>
    void looks.push({ ...lookOften(everyMs, look, report(`${what} failed`)), ...options })
  return { looks, dueLooks, whenDue, often }
}

/** What models make outside of turns. Loaded with the first order, because a start needs none of it. */
const asideOf = ({ model }: Config, bot: () => TurnServices): Pick<TurnServices, 'write' | 'embed'> => ({
  write: async (...order) => (await import('../turn/ask/write-aside.ts')).writeAside(bot(), ...order),
  embed:
    model.embedding && (async (...order) => (await import('../turn/ask/embed-aside.ts')).embedAside(bot(), ...order)),
})

/** The console, and the configured platforms. */
async function openPlatforms(
  { config, store, clock, log, staging, lock }: Foundation,
  surroundings: Surroundings,
  others: Shared | undefined,
) {
  const isReplaced = () => isLockedByAnother(store.db, lock.holder)
  const notes = notesIn(store, lock.holder, config.node)
  const ofNodes = others && nodeNotes(store, lock.holder)
  const { show, keep } = config
  const { catchUpDays } = keep
  const deps: PlatformDeps = { notes, nodeNotes: ofNodes, isReplaced, others, clock, log, show, catchUpDays }
  const connected = surroundings.platforms?.(deps) ?? (await connectPlatforms(config, deps))
  const all = [consolePlatform(staging.open), ...connected]
  return new Map<string, ChatPlatform>(all.map((platform) => [platform.name, platform]))
}
