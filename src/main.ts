import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createApp } from './api/app.ts'
import { type Listening, listen } from './api/listen.ts'
import { isLoopback } from './api/security.ts'
import { indexUpload } from './capabilities/documents/index-upload.ts'
import { openLibrary } from './capabilities/documents/library.ts'
import { type Config, databaseFile } from './config/config.ts'
import { ownSecrets, searchOf } from './config/secrets.ts'
import type { RemoteFile } from './domain/chat.ts'
import type { SessionId } from './domain/ids.ts'
import type { Status } from './domain/plugin.ts'
import type { Workspace } from './domain/workspace.ts'
import { embeddedEngine } from './engine/embedded.ts'
import { becomeOnlyOne } from './engine/only-one.ts'
import type { ModelSlot } from './inbound/commands/command.ts'
import type { HearDeps } from './inbound/hear.ts'
import { receive } from './inbound/receive.ts'
import { sinkFor } from './inbound/sink.ts'
import { Jobs } from './jobs/jobs.ts'
import { unlessAborted } from './kit/abort.ts'
import { systemClock } from './kit/clock.ts'
import { atOnceWithin, descriptorLimit, hasDescriptors } from './kit/descriptors.ts'
import { ParserPool } from './kit/documents/pool.ts'
import { poolSettings } from './kit/documents/pool-options.ts'
import { atMost } from './kit/sandbox/at-once.ts'
import { openContainment } from './kit/sandbox/contained.ts'
import { openSandbox } from './kit/sandbox/sandbox.ts'
import { openUnconfined } from './kit/sandbox/unconfined.ts'
import { createSecrets } from './kit/secrets/secrets.ts'
import { createStreamMask } from './kit/secrets/stream.ts'
import type { ReadPage } from './kit/web/port.ts'
import { openWeb } from './kit/web/web.ts'
import { Deliverer } from './outbound/deliver.ts'
import { Outages } from './outbound/outages.ts'
import { OutputStream } from './outbound/output-stream.ts'
import { Presenter } from './outbound/presenter.ts'
import { reportPosting } from './outbound/report-posting.ts'
import { TextStream } from './outbound/text-stream.ts'
import { consolePlatform } from './platforms/console/console.ts'
import { consolePages } from './platforms/console/pages.ts'
import type { ChatPlatform, PlatformDeps } from './platforms/platform.ts'
import { expectedFiles } from './store/files.ts'
import { runnableSessions } from './store/inbox.ts'
import { notesIn } from './store/notes.ts'
import { releaseAttempts } from './store/outbox.ts'
import { Store } from './store/store.ts'
import { compileRules } from './trust/rules.ts'
import type { IsMember } from './trust/who.ts'
import { Hooks } from './turn/hooks.ts'
import { Suspects } from './turn/suspects.ts'
import { toolbox } from './turn/toolbox.ts'
import { runSession } from './turn/work.ts'
import type { Bot, Surroundings } from './wiring/bot.ts'
import { builtinTools } from './wiring/builtin-tools.ts'
import { connectPlatforms } from './wiring/connect.ts'
import { createLog } from './wiring/log.ts'
import { jobKinds, looksOf, startCleaning } from './wiring/looks.ts'
import { modelsOf } from './wiring/models.ts'
import { allTools, checkRules, loadPlugins } from './wiring/plugins.ts'
import { outageLog, reportTo } from './wiring/reports.ts'
import { Soundness } from './wiring/soundness.ts'
import { inTurn } from './wiring/stopping.ts'
import { version } from './wiring/version.ts'
import { isStaged, openStaging } from './workspace/staging.ts'
import { telling, workspacesIn } from './workspace/workspaces.ts'

const stopGraceMs = 5_000

/** What has not ended by then is left behind. */
const stopLimitMs = 10_000

const dayMs = 86_400_000

/** How often a turn's events are read for those who see it elsewhere than on our own screens. */
const readMs = 150

export type { Bot, Surroundings }

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
  const { base, vision } = config.model
  const answering = modelsOf(config.model, surroundings.model)
  const { model, seeing } = answering
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
    failed: report('delivering failed'),
  })
  store.whenPosting((posted) => deliverer.deliver(posted))
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
    uploaded: indexUpload,
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

  const looks = looksOf({ config, store, engine, clock, rules, deliverer, report })
  const jobs = new Jobs({ store, clock, holder: only.holder, sweepMs: config.engine.clockMs, report })

  const stop = () =>
    inTurn(stopLimitMs, report, [
      ['the lock', () => only.leave()],
      ['waiting for room', async () => store.availability.leave()],
      ['turns', () => engine.stop(stopGraceMs)],
      ['models', async () => answering.stop()],
      // While the platforms are still there.
      ['posting', () => deliverer.leave(stopGraceMs)],
      ['the console', async () => listening?.close()],
      ['platforms', () => Promise.all([...platforms.values()].map((platform) => platform.stop()))],
      ['what is looked at now and then', () => Promise.all(looks.map((look) => look.stop()))],
      ['jobs', () => jobs.stop()],
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
    await startCleaning(store)
    await jobs.run(jobKinds({ config, clock, hearDeps, library }))
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
  answering.loadSoon()
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${listening.port}`
  log.debug({ address, model: model.name }, 'ready')
  return { url: token === undefined ? address : `${address}/?token=${token}`, model, stop }
}
