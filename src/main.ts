import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Hooks } from './agent/hooks.ts'
import { createApp } from './api/app.ts'
import { type Listening, listen } from './api/listen.ts'
import { isLoopback } from './api/security.ts'
import type { Bot, Surroundings } from './bot.ts'
import { consolePlatform } from './chat/console/console.ts'
import { consolePages } from './chat/console/pages.ts'
import type { ChatPlatform, PlatformDeps } from './chat/platform.ts'
import type { Config } from './config/config.ts'
import { ownSecrets, searchOf } from './config/secrets.ts'
import { connectPlatforms } from './connect.ts'
import { compileRules } from './decisions/rules.ts'
import type { IsMember } from './decisions/who.ts'
import { atOnceWithin, descriptorLimit, hasDescriptors } from './descriptors.ts'
import { openLibrary } from './documents/library.ts'
import { ParserPool } from './documents/pool.ts'
import { poolSettings } from './documents/pool-options.ts'
import { unlessAborted } from './domain/abort.ts'
import type { RemoteFile } from './domain/chat.ts'
import { systemClock } from './domain/clock.ts'
import type { SessionId } from './domain/ids.ts'
import type { Status } from './domain/plugin.ts'
import type { ReadPage } from './domain/web.ts'
import type { Workspace } from './domain/workspace.ts'
import { embeddedEngine } from './engine/embedded.ts'
import { becomeOnlyOne } from './engine/only-one.ts'
import { createLog } from './log.ts'
import { looksOf } from './looks.ts'
import { openaiModel, settingsOf } from './model/openai.ts'
import { practiceModel } from './model/practice/practice-model.ts'
import { allTools, checkRules, loadPlugins } from './plugins.ts'
import { outageLog, reportTo } from './reports.ts'
import { atMost } from './sandbox/at-once.ts'
import { openContainment } from './sandbox/contained.ts'
import { openSandbox } from './sandbox/sandbox.ts'
import { openUnconfined } from './sandbox/unconfined.ts'
import { createSecrets } from './secrets/secrets.ts'
import { createStreamMask } from './secrets/stream.ts'
import type { ModelSlot } from './sessions/commands/command.ts'
import { Deliverer } from './sessions/deliver.ts'
import type { HearDeps } from './sessions/hear.ts'
import { Outages } from './sessions/outages.ts'
import { OutputStream } from './sessions/output-stream.ts'
import { Presenter } from './sessions/presenter.ts'
import { receive } from './sessions/receive.ts'
import { reportPosting } from './sessions/report-posting.ts'
import { sinkFor } from './sessions/sink.ts'
import { Suspects } from './sessions/suspects.ts'
import { TextStream } from './sessions/text-stream.ts'
import { toolbox } from './sessions/toolbox.ts'
import { runSession } from './sessions/work.ts'
import { telling, workspacesIn } from './sessions/workspaces.ts'
import { Soundness } from './soundness.ts'
import { inTurn } from './stopping.ts'
import { expectedFiles } from './store/files.ts'
import { runnableSessions } from './store/inbox.ts'
import { notesIn } from './store/notes.ts'
import { releaseAttempts } from './store/outbox.ts'
import { Store } from './store/store.ts'
import { builtinTools } from './tools/index.ts'
import { version } from './version.ts'
import { openWeb } from './web/web.ts'
import { isStaged, openStaging } from './workspace/staging.ts'

const stopGraceMs = 5_000

/** What has not ended by then is left behind. */
const stopLimitMs = 10_000

const dayMs = 86_400_000

/** How often a turn's events are read for those who see it elsewhere than on our own screens. */
const readMs = 150

export type { Bot, Surroundings }

export const databaseFile = (config: Config): string => join(config.dataDir, 'bobbin.db')

/** Builds the whole bot, and starts it. The only place where things are built. */
export async function startBot(config: Config, surroundings: Surroundings = {}): Promise<Bot> {
  const { clock = systemClock, lostToAnother = () => {}, leaving = new AbortController().signal } = surroundings
  const { host } = config.server
  const token = isLoopback(host) ? undefined : randomBytes(24).toString('base64url')
  const ofConsole = token === undefined ? [] : [{ name: 'console token', value: token }]
  const secrets = createSecrets([...ownSecrets(config), ...ofConsole])
  const log = createLog(config.logLevel, secrets.mask)
  const report = reportTo(log)

  const plugins = surroundings.plugins ?? (await loadPlugins(config.plugins))
  const { base, vision, patience } = config.model
  const model = surroundings.model ?? (base ? openaiModel(base, patience) : practiceModel())
  const seeing = vision && (vision === base ? model : openaiModel(vision, patience, settingsOf('VISION')))
  const known = allTools(builtinTools, plugins)
  checkRules(config, known)
  const rules = compileRules(config.rules)
  const hooks = new Hooks(plugins, (plugin, hook, thrown) => report('a plug-in failed', { plugin, hook })(thrown))

  const store = await Store.open(databaseFile(config), clock, secrets.mask, surroundings)
  const only = await becomeOnlyOne(store, config.engine.silentMs, lostToAnother).catch(async (thrown) => {
    await store.close()
    throw thrown
  })
  store.availability.whenChanged(outageLog(log))
  const soundness = new Soundness(store, databaseFile(config), log, report)
  const staging = await openStaging(join(config.dataDir, 'incoming'))
  await staging.sweep((await expectedFiles(store.db)).flatMap(({ remote }) => remote ?? []))
  const directories = workspacesIn(
    join(config.dataDir, 'workspace'),
    report('the metadata of a workspace could not be written'),
    { bytes: config.uploads.workspaceBytes, files: config.uploads.workspaceFiles },
  )

  const { documents } = config
  const parsers = new ParserPool({ ...poolSettings(documents), containment: openContainment() })
  const library = await openLibrary({
    file: join(config.dataDir, 'index.db'),
    pool: parsers,
    fileBytes: documents.fileBytes,
    unusedMs: documents.unusedDays * dayMs,
    mostCharacters: documents.indexCharacters,
    checkMs: documents.checkHours * 3_600_000,
    clock,
    report: report('the document index failed'),
  })
  const workspaces = telling(directories, (session) => library.forget(session.id))

  const confined = surroundings.sandbox ?? openSandbox()
  const descriptors = descriptorLimit()
  const atOnce = atOnceWithin(config.engine.turnsAtOnce, descriptors)
  const sandbox = atMost(atOnce.commands, config.sandbox.required ? confined : openUnconfined(confined))
  const readPage: ReadPage = (html, charset, url, signal) =>
    parsers.page({ html, charset, url }, config.web.pageBytes, signal)
  const web = surroundings.web ?? openWeb({ version, readPage, search: searchOf(config) })
  const tools = toolbox(known, config.tiers, { web })

  const engine = embeddedEngine({
    ...config.engine,
    turnsAtOnce: atOnce.turns,
    hasRoom: hasDescriptors(descriptors),
    runnable: () => runnableSessions(store.db),
    report: (session, thrown) => report('a session failed', { session })(thrown),
  })
  const platforms = new Map<string, ChatPlatform>()
  const platformDeps: PlatformDeps = { notes: notesIn(store), clock, log, show: config.show }
  const connected = surroundings.platforms?.(platformDeps) ?? (await connectPlatforms(config, platformDeps))
  for (const platform of [consolePlatform(staging.open), ...connected]) platforms.set(platform.name, platform)
  const isMember: IsMember = async ({ thread }, person, group) =>
    (await platforms.get(thread.platform)?.isMember(thread, person.id, group)) ?? false
  const outages = new Outages({ platforms, now: clock.now, report: report('an outage could not be told') })
  outages.follow(store)
  const models = new Map<string, ModelSlot>([['base', { model, price: base?.price }]])
  if (seeing !== undefined) models.set('vision', { model: seeing, price: vision?.price })
  const hearDeps: HearDeps = {
    store,
    engine,
    outages,
    rules,
    isMember,
    clock,
    staging,
    workspaces,
    platforms,
    models,
    alarmGapMs: config.tools.alarmGapMs,
    access: config.access,
    ...config.agent,
    ...config.uploads,
    ...config.keep,
  }
  const presenter = new Presenter({ store, clock, platforms, readMs, report: report('progress could not be shown') })
  const deliverer = new Deliverer({
    store,
    clock,
    platforms,
    presenter,
    holder: only.holder,
    workspaces,
    fileBytes: config.show.fileBytes,
    wake: engine.wake,
    report: reportPosting(log, report),
  })
  store.whenPosting(() => void deliverer.deliverDue().catch(report('delivering failed')))
  const statuses = new Map<SessionId, Status>()
  const newMask = () => createStreamMask(secrets)
  const outputs = new OutputStream(store, report('output was lost'), newMask)
  const texts = new TextStream(store, config.engine.textFlushMs, report('streamed text was lost'), newMask)
  const workDeps = {
    store,
    engine,
    clock,
    config,
    model,
    seeing,
    tools,
    rules,
    isMember,
    sandbox,
    web,
    outputs,
    hooks,
    texts,
    statuses,
    workspaces,
    documentsOf: (session: SessionId, workspace: Workspace) => library.of(session, workspace),
    fetch: async (platform: string, file: RemoteFile) => {
      if (isStaged(file)) return staging.open(file)
      const from = platforms.get(platform)
      if (from === undefined) throw new Error(`${platform} is not connected`)
      return from.download(file)
    },
    drop: staging.drop,
    platforms,
    presenter,
    outages,
    suspects: new Suspects(),
    holder: only.holder,
    report: (session: string, thrown: unknown) => report('a turn failed', { session })(thrown),
  }

  let listening: Listening | undefined
  const app = await createApp(
    {
      store,
      engine,
      rules,
      isMember,
      tools,
      config,
      staging,
      workspaces,
      documentsOf: async (session) => library.of(session.id, await workspaces.open(session)),
      receive: (incoming) => receive(incoming, hearDeps),
      platforms,
      statuses,
      about: { version, model: { name: model.name, practice: model.practice } },
      trustsUserId: token === undefined,
      report: report('a request failed'),
    },
    { token, host, port: () => listening?.port ?? config.server.port },
    consolePages,
  )

  const looks = looksOf({ config, store, engine, clock, rules, deliverer, hearDeps, library, report })

  const stop = () =>
    inTurn(stopLimitMs, report, [
      ['the lock', () => only.leave()],
      ['waiting for room', async () => store.availability.leave()],
      ['turns', () => engine.stop(stopGraceMs)],
      // While the platforms are still there.
      ['posting', () => deliverer.leave(stopGraceMs)],
      ['the console', async () => listening?.close()],
      ['platforms', () => Promise.all([...platforms.values()].map((platform) => platform.stop()))],
      ['what is looked at now and then', () => Promise.all(looks.map((look) => look.stop()))],
      ['progress', () => Promise.all([outputs.stop(), texts.stop(), deliverer.idle()])],
      ['documents', () => parsers.stop()],
      ['the document index', async () => library.close()],
      ['the mark', () => soundness.stop()],
      ['the lock', () => only.release()],
      ['the database', () => store.close()],
    ])

  try {
    await releaseAttempts(store)
    listening = await listen(app, host, config.server.port)
    await engine.start((session, signal) => runSession(session, signal, workDeps))
    for (const look of looks) look.start()
    await soundness.start()
    const sinkDeps = { ...hearDeps, changed: deliverer.changed.bind(deliverer) }
    const starts = [...platforms.values()].map((platform) => platform.start(sinkFor(platform.name, sinkDeps)))
    // One that is still starting while it is stopped would go on afterwards, and keep the process alive.
    await unlessAborted(leaving, () => Promise.allSettled(starts))
    await Promise.all(starts)
  } catch (thrown) {
    await stop()
    throw thrown
  }
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${listening.port}`
  log.debug({ address, model: model.name }, 'ready')
  return { url: token === undefined ? address : `${address}/?token=${token}`, model, stop }
}
