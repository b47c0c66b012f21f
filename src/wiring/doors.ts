import type { ApiDeps } from '../api/deps.ts'
import { sessionCommands } from '../inbound/commands/index.ts'
import type { HearDeps } from '../inbound/hear.ts'
import { receive } from '../inbound/receive.ts'
import { zoneOf } from '../kit/calendar/zone.ts'
import type { Model } from '../kit/model/model.ts'
import { homeOf } from '../store/sessions.ts'
import { routesAt } from '../turn/port/routes-at.ts'
import type { TurnServices } from '../turn/state/services.ts'
import type { Surroundings } from './bot.ts'
import type { Foundation } from './foundation.ts'
import { version } from './version.ts'

/** What hearing, receiving and commands need. */
export function hearingWith(
  bot: TurnServices,
  { staging }: Foundation,
  { editHookMs }: Pick<Surroundings, 'editHookMs'>,
): HearDeps {
  const {
    config,
    models,
    store,
    engine,
    liveTexts,
    rules,
    isMember,
    clock,
    workspaces,
    platforms,
    outages,
    capabilities,
  } = bot
  const { keep } = config
  return {
    store,
    engine,
    liveTexts,
    rules,
    isMember,
    clock,
    staging,
    workspaces,
    platforms,
    outages,
    models,
    rewritten: (tx, session, message, how) => capabilities.rewritten(tx, session, message, how),
    userMessage: capabilities.hooks.changeMessages ? editedWith(bot, editHookMs) : undefined,
    commands: sessionCommands([...capabilities.commands(bot).values()].flat(), capabilities.standing(bot)),
    toolbox: bot.toolbox,
    alarmGapMs: config.tools.alarmGapMs,
    access: config.access,
    messageBytes: config.agent.messageBytes,
    filesPerMessage: config.uploads.filesPerMessage,
    timeZone: zoneOf(config.agent.timeZone),
    idleWorkspaceDays: keep.idleWorkspaceDays,
    eventDays: keep.eventDays,
    postingDays: keep.postingDays,
    changeDays: keep.changeDays,
    ignoredDays: keep.ignoredDays,
  }
}

/** A person's next message waits for it, even one that says "stop". */
const usualEditHookMs = 10_000

function editedWith({ capabilities, engine, report }: TurnServices, mostMs = usualEditHookMs): HearDeps['userMessage'] {
  return async (text, read) => {
    const late = AbortSignal.timeout(mostMs)
    try {
      const signal = AbortSignal.any([engine.leaving, late])
      return await capabilities.hooks.userMessage(text, { ...read, signal })
    } catch (thrown) {
      if (!late.aborted || engine.leaving.aborted) throw thrown
      report('a plug-in took too long over an edited message', { session: read.session })(thrown)
      return undefined
    }
  }
}

/** What the HTTP interface needs. */
export function apiOf(
  bot: TurnServices,
  { staging, isOpen, report, lock }: Foundation,
  hearDeps: HearDeps,
  { model, silent, closing }: Pick<ApiDeps, 'silent' | 'closing'> & { model: Model },
): Omit<ApiDeps, 'isStarted'> {
  const { config, store, engine, liveTexts, rules, isMember, workspaces, platforms, statuses, capabilities } = bot
  const routes = capabilities.all.flatMap((one) => (one.routes ? [[routesAt(one), one.routes(bot)] as const] : []))
  return {
    store,
    engine,
    liveTexts,
    rules,
    isMember,
    config,
    staging,
    workspaces,
    platforms,
    statuses,
    silent,
    closing,
    holder: lock.holder,
    commands: hearDeps.commands,
    tools: bot.toolbox,
    routes: new Map(routes),
    operations: capabilities.operations,
    endpoints: capabilities.watch(bot),
    views: capabilities.views(bot),
    documentsOf: async (session) => bot.documents.of(homeOf(session), await workspaces.open(session)),
    receive: (incoming) => receive(incoming, hearDeps),
    about: { version, model: { name: model.name, practice: model.practice } },
    trustsUserId: !isOpen,
    report: report('a request failed'),
  }
}
