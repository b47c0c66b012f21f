import type { ApiDeps } from '../api/deps.ts'
import type { Config } from '../config/config.ts'
import type { RemoteFile } from '../domain/chat.ts'
import { type Looking, lookOften } from '../engine/look-often.ts'
import { NodesSeen } from '../engine/watch-nodes.ts'
import { sessionCommands } from '../inbound/commands/index.ts'
import type { HearDeps } from '../inbound/hear.ts'
import { receive } from '../inbound/receive.ts'
import { atOnceWithin, descriptorLimit, hasDescriptors } from '../kit/descriptors.ts'
import type { Model } from '../kit/model/model.ts'
import { atMost } from '../kit/sandbox/at-once.ts'
import { lateSandbox } from '../kit/sandbox/late.ts'
import { openUnconfined } from '../kit/sandbox/unconfined.ts'
import { consolePlatform } from '../platforms/console/console.ts'
import type { ChatPlatform, PlatformDeps } from '../platforms/platform.ts'
import { runnableSessions } from '../store/inbox.ts'
import { isLockedByAnother } from '../store/lock.ts'
import { nodeNotes } from '../store/node-notes.ts'
import { notesIn } from '../store/notes.ts'
import { homeOf, type Session } from '../store/sessions.ts'
import { compileRules } from '../trust/rules.ts'
import type { IsMember } from '../trust/who.ts'
import { Capabilities } from '../turn/hooks/capabilities.ts'
import type { Capability } from '../turn/port/capability.ts'
import type { TurnServices } from '../turn/state/services.ts'
import { Suspects } from '../turn/state/suspects.ts'
import { offeredTo, type Toolbox, toolbox } from '../turn/state/toolbox.ts'
import { isStaged } from '../workspace/staging.ts'
import type { Surroundings } from './bot.ts'
import { connectPlatforms } from './connect.ts'
import { openEngine } from './engine.ts'
import type { Foundation } from './foundation.ts'
import { looksOf } from './looks.ts'
import { type Models, modelsOf } from './models.ts'
import { Shared } from './nodes.ts'
import { openOutgoing } from './outgoing.ts'
import { allTools, checkRules, withCautiousTools } from './plugins.ts'
import { openReading } from './reading.ts'
import { checkSections, requiresSandbox } from './settings.ts'
import { Soundness } from './soundness.ts'
import { version } from './version.ts'

export type Assembled = Awaited<ReturnType<typeof assemble>>

/** Connects everything on the foundation. Nothing runs yet. */
export async function assemble(
  foundation: Foundation,
  builtin: readonly Capability[],
  plugins: readonly Capability[],
  surroundings: Surroundings,
) {
  const { config, clock, store, staging, only, report } = foundation
  const capable = [...builtin, ...plugins.map(withCautiousTools)]
  const known = allTools(builtin, plugins)
  checkRules(config, known, capable)
  checkSections(config, capable)
  const capabilities = new Capabilities(capable, config, (capability, hook, thrown) =>
    report('a capability failed', { capability, hook })(thrown),
  )
  const aside = asideOf(config, () => bot)
  const reading = openReading(foundation, surroundings, aside)
  const { workspaces, web, documents } = reading
  const descriptors = descriptorLimit()
  const atOnce = atOnceWithin(config.engine.turnsAtOnce, descriptors)
  const confined = surroundings.sandbox ?? lateSandbox()
  const sandbox = atMost(atOnce.commands, requiresSandbox(config) ? confined : openUnconfined(confined))
  const { engine, takeOver, letGo } = await openEngine(foundation, {
    ...config.engine,
    turnsAtOnce: atOnce.turns,
    hasRoom: hasDescriptors(descriptors),
    runnable: () => runnableSessions(store.db),
    report: (session, thrown) => report('a session failed', { session })(thrown),
  })
  const shared = config.node === undefined ? undefined : new Shared(foundation)
  const platforms = await openPlatforms(foundation, surroundings, shared)
  const isMember: IsMember = async ({ thread }, person, group) =>
    (await platforms.get(thread.platform)?.isMember(thread, person.id, group)) ?? false
  const rules = compileRules(config.rules)
  const outgoing = openOutgoing(foundation, platforms, workspaces, rules, (session) => engine.wake(session))
  const answering = modelsOf(config.model, surroundings.model, clock)
  const tools: Toolbox = toolbox(known, config.tiers, { web }, () => capabilities.found(bot), store)
  const dueLooks = looksOf({ ...foundation, engine, rules, deliverer: outgoing.deliverer })
  const looks: Looking[] = [dueLooks]
  const bot: TurnServices = {
    ...{ version, config, store, engine, clock, rules, isMember, platforms, workspaces, sandbox, web, report },
    ...{ capabilities, ...outgoing, ...modelServices(answering, tools, foundation) },
    toolbox: tools,
    suspects: new Suspects(),
    ...{ holder: only.holder, learnSecrets: foundation.secrets.learn },
    statuses: new Map(),
    documents,
    whenDue: (what, nextAt, look) => dueLooks.add({ nextAt, look, report: report(`${what} failed`) }),
    often: (what, look, everyMs = config.engine.clockMs) =>
      void looks.push(lookOften(everyMs, look, report(`${what} failed`))),
    async fetch(platform: string, file: RemoteFile) {
      if (isStaged(file)) return staging.open(file)
      const from = platforms.get(platform)
      if (from === undefined) throw new Error(`${platform} is not connected`)
      return from.download(file)
    },
    drop: staging.drop,
    ...aside,
  }
  const hearDeps = hearingWith(bot, foundation)
  const nodes = new NodesSeen(config.engine.silentMs)
  const closing = new AbortController()
  const soundness = store.keeper && new Soundness(foundation, store.keeper)
  return {
    bot,
    answering,
    hearDeps,
    api: apiOf(bot, foundation, hearDeps, { silent: () => nodes.silent, closing: closing.signal, ...answering }),
    ...{ looks, dueLooks, soundness, shared, takeOver, letGo, nodes, closing },
    ...{ ...reading, deliverer: outgoing.deliverer, former: outgoing.former },
  }
}

/** What models make outside of conversations. Loaded with the first order, because a start needs none of it. */
const asideOf = ({ model }: Config, bot: () => TurnServices): Pick<TurnServices, 'write' | 'embed'> => ({
  write: async (...order) => (await import('../turn/ask/write-aside.ts')).writeAside(bot(), ...order),
  embed:
    model.embedding && (async (...order) => (await import('../turn/ask/embed-aside.ts')).embedAside(bot(), ...order)),
})

const modelServices = ({ answerers, slots }: Models, tools: Toolbox, { store }: Foundation) => ({
  answerers,
  models: slots,
  offeredTo: (session: Session) => offeredTo(session, store, tools),
})

function hearingWith(bot: TurnServices, { staging }: Foundation): HearDeps {
  const { config, models, store, engine, live, rules, isMember, clock, workspaces, platforms, outages, capabilities } =
    bot
  return {
    ...{ store, engine, live, rules, isMember, clock, staging, workspaces, platforms, outages, models },
    rewritten: (tx, session, message) => capabilities.rewritten(tx, session, message),
    commands: sessionCommands(capabilities.commands(bot), capabilities.standing(bot)),
    toolbox: bot.toolbox,
    alarmGapMs: config.tools.alarmGapMs,
    access: config.access,
    ...config.agent,
    ...config.uploads,
    ...config.keep,
  }
}

function apiOf(
  bot: TurnServices,
  { staging, isOpen, report, only }: Foundation,
  hearDeps: HearDeps,
  { model, silent, closing }: Pick<ApiDeps, 'silent' | 'closing'> & { model: Model },
): Omit<ApiDeps, 'isStarted'> {
  const { config, store, engine, live, rules, isMember, workspaces, platforms, statuses, capabilities } = bot
  const routes = capabilities.all.flatMap(({ name, routesAt = `capabilities/${name}`, routes }) =>
    routes ? [[routesAt, routes(bot)] as const] : [],
  )
  return {
    ...{ store, engine, live, rules, isMember, config, staging, workspaces, platforms, statuses, silent, closing },
    holder: only.holder,
    commands: hearDeps.commands,
    tools: bot.toolbox,
    routes: new Map(routes),
    operations: async () => (await Promise.all(capabilities.all.map((one) => one.operations?.() ?? []))).flat(),
    endpoints: capabilities.watch(bot),
    views: capabilities.views(bot),
    documentsOf: async (session) => bot.documents.of(homeOf(session), await workspaces.open(session)),
    receive: (incoming) => receive(incoming, hearDeps),
    about: { version, model: { name: model.name, practice: model.practice } },
    trustsUserId: !isOpen,
    report: report('a request failed'),
  }
}

/** The console, and the configured platforms. */
async function openPlatforms(
  { config, store, clock, log, staging, only }: Foundation,
  surroundings: Surroundings,
  others: Shared | undefined,
) {
  const isReplaced = () => isLockedByAnother(store.db, only.holder)
  const notes = notesIn(store, only.holder, config.node)
  const ofNodes = others && nodeNotes(store, only.holder)
  const deps: PlatformDeps = { notes, nodeNotes: ofNodes, isReplaced, others, clock, log, show: config.show }
  const connected = surroundings.platforms?.(deps) ?? (await connectPlatforms(config, deps))
  const all = [consolePlatform(staging.open), ...connected]
  return new Map<string, ChatPlatform>(all.map((platform) => [platform.name, platform]))
}
