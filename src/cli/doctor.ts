import { parseArgs } from 'node:util'
import { type Complaint, type Config, complaintText, databasePlace } from '../config/config.ts'
import { loadConfig, type Places } from '../config/load.ts'
import { slackScopes } from '../config/manifests.ts'
import { addressFindings } from '../doctor/address.ts'
import { dataFindings, listensAt } from '../doctor/data.ts'
import { machineFindings } from '../doctor/machine.ts'
import { embeddingFindings, figureFindings, modelFindings } from '../doctor/model.ts'
import { openFindings } from '../doctor/open-to-others.ts'
import { type CheckSection, report } from '../doctor/report.ts'
import { runningBot } from '../doctor/running.ts'
import { type BotThere, broken, type Finding, fine, mind } from '../domain/finding.ts'
import { systemClock } from '../kit/clock.ts'
import { Failure, reasonOf } from '../kit/failure.ts'
import { type ModelPatience, type ModelSlot, type SlotName, slotNames } from '../kit/model/model.ts'
import { practiceModel } from '../kit/practice/practice-model.ts'
import { isWorthMasking } from '../kit/secrets/own.ts'
import { embeddingModel } from '../model/embedding.ts'
import { settingsOf as modelSettings, openaiModel } from '../model/openai.ts'
import { discordFindings } from '../platforms/discord/doctor/doctor.ts'
import { slackFindings } from '../platforms/slack/doctor/doctor.ts'
import type { Capability } from '../turn/port/capability.ts'
import { settingsOf } from '../turn/port/settings-of.ts'
import { halfRestored } from '../wiring/backup/staging.ts'
import { builtinCapabilities, builtinSections } from '../wiring/capabilities.ts'
import { loadPlugins } from '../wiring/plugins.ts'
import { ownSecrets, type Secret } from '../wiring/secrets.ts'
import { nodeComplaints, settingComplaints } from '../wiring/settings.ts'
import { envFileFindings, loneNode } from './env-file.ts'
import { type Home, homeLines } from './home.ts'
import { partComplaints } from './part-complaints.ts'
import { UsageFault } from './usage.ts'
import { cliWords } from './words.ts'

/** Reports what works, what doesn't, and what to do. The exit code is 1 when something is broken. */
export async function doctorCommand(args: string[], home: Home): Promise<number> {
  let probe: string | undefined
  try {
    probe = parseArgs({ args, options: { probe: { type: 'string' } } }).values.probe
  } catch (thrown) {
    throw new UsageFault(reasonOf(thrown), 'Usage: doctor [--probe <channel id>]')
  }
  const loaded = loadConfig(process.env, process.cwd(), builtinSections)
  const config = 'config' in loaded ? loaded.config : undefined
  const found = 'complaints' in loaded ? { plugins: [], faults: loaded.complaints.map(placed) } : await partsIn(loaded)
  const { plugins, faults, withSecrets = plugins } = found
  const secrets = config === undefined ? [] : ownSecrets(config, [...builtinCapabilities, ...withSecrets])
  const sections: CheckSection[] = [
    { title: 'Configuration', findings: configFindings(home, config, faults, secrets) },
    { title: 'This machine', findings: machineFindings() },
    ...(config === undefined ? [] : partsOf(config, probe, [...builtinCapabilities, ...plugins])),
  ]
  const isBroken = await report(
    sections,
    secrets.filter(({ value }) => isWorthMasking(value)).map(({ value }) => value),
    (text) => process.stdout.write(text),
  )
  return isBroken ? 1 : 0
}

const placed = (complaint: Complaint): Finding =>
  broken(complaintText({ ...complaint, remedy: '' }).trim(), complaint.remedy)

/** The plug-ins, and what keeps the bot from starting with them. One with invalid settings has no known secrets. */
async function partsIn({ config, places }: { config: Config; places: Places }): Promise<{
  plugins: Capability[]
  faults: Finding[]
  withSecrets?: Capability[]
}> {
  try {
    const plugins = await loadPlugins(config.plugins)
    const ofSections = settingComplaints(config, [...builtinCapabilities, ...plugins], places)
    if (ofSections.length > 0) return { plugins, faults: ofSections.map(placed), withSecrets: [] }
    return { plugins, faults: [...nodeComplaints(config), ...partComplaints(config, places, plugins)].map(placed) }
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown
    return { plugins: [], faults: [broken(thrown.message.replace(/[^.!?]$/, '$&.'), thrown.remedy)] }
  }
}

async function* configFindings(
  home: Home,
  config: Config | undefined,
  faults: Finding[],
  secrets: Secret[],
): AsyncGenerator<Finding> {
  for (const line of homeLines(home, process.env.DATABASE_URL)) yield fine(line)
  if (home.envFile !== undefined) yield* envFileFindings(home.envFile, Object.keys(config?.variables ?? {}))
  yield* openFindings(home)
  yield* loneNode(process.env)
  if (config !== undefined && faults.length === 0)
    yield fine(cliWords.configurationFine({ configDir: config.configDir }))
  yield* placeholderFindings(secrets)
  if (process.env.SLACK_BOT_TOKEN?.startsWith('xapp-') && process.env.SLACK_APP_TOKEN?.startsWith('xoxb-')) {
    yield broken(cliWords.swappedTokens(), cliWords.swappedTokensRemedy())
  }
  yield* faults
}

/** Everything that is set up, a section each. */
function partsOf(config: Config, probe: string | undefined, capabilities: readonly Capability[]): CheckSection[] {
  const place = { dataDir: config.dataDir, database: databasePlace(config), silentMs: config.engine.silentMs }
  const botOn = async (platform: string) => (await runningBot(place, config.server))(platform)
  return [
    { title: 'Data', findings: dataFindings({ ...place, refused: halfRestored(config.dataDir) }) },
    { title: 'Console', findings: addressFindings(config.server, (port) => listensAt(port, place)) },
    ...modelParts(config.model),
    { title: 'Slack', findings: slackPart(config, isSlackChannel(probe) ? probe : undefined, botOn) },
    { title: 'Discord', findings: discordPart(config, isSlackChannel(probe) ? undefined : probe, botOn) },
    ...capabilities.flatMap((capability) => checksOf(capability, config)),
  ]
}

function checksOf(capability: Capability, config: Config): CheckSection[] {
  const { name, title = name, checks } = capability
  return checks === undefined ? [] : [{ title, findings: checksWith(capability, config) }]
}

/** Invalid settings become a finding of their capability. */
async function* checksWith(capability: Capability, config: Config): AsyncGenerator<Finding> {
  const settings = settingsOf(config, capability)
  yield* capability.checks?.(config, settings) ?? []
}

/** Each slot is called. */
function modelParts(models: Config['model']): CheckSection[] {
  const { base, vision, embedding, patience, pricesOf } = models
  const titles = {
    base: 'Model',
    vision: cliWords.modelImages(),
    reasoning: cliWords.modelReasoning(),
    code: cliWords.modelCode(),
    chat: cliWords.modelLastWords(),
  }
  const others = slotNames.flatMap((name) => {
    const slot = name === 'vision' && vision === base ? undefined : models[name]
    return slot === undefined ? [] : [{ title: titles[name], findings: slotFindings(slot, name, patience, pricesOf) }]
  })
  if (embedding !== undefined) {
    const findings = embeddingFindings(embeddingModel(embedding, patience), embedding)
    others.push({ title: cliWords.modelEmbeddings(), findings })
  }
  return base === undefined
    ? [{ title: titles.base, findings: modelFindings(practiceModel(), 'base') }, ...others]
    : others
}

async function* slotFindings(
  slot: ModelSlot,
  name: SlotName,
  patience: ModelPatience,
  pricesOf: string,
): AsyncGenerator<Finding> {
  yield* modelFindings(openaiModel(slot, patience, modelSettings(name)), name)
  yield* figureFindings(slot, name, pricesOf)
}

type BotOn = (platform: string) => Promise<BotThere>

const notConnected = (platform: string, probe: string | undefined): Finding =>
  probe === undefined
    ? fine(cliWords.notConnected())
    : broken(cliWords.probeUnsent({ probe, platform }), cliWords.probeUnsentRemedy())

async function* slackPart(config: Config, probe: string | undefined, botOn: BotOn): AsyncGenerator<Finding> {
  if (config.slack === undefined) {
    yield notConnected('Slack', probe)
    return
  }
  yield* slackFindings({
    ...config.slack,
    scopes: slackScopes(),
    probe,
    bot: await botOn('slack'),
    clock: systemClock,
  })
}

async function* discordPart(config: Config, probe: string | undefined, botOn: BotOn): AsyncGenerator<Finding> {
  if (config.discord === undefined) yield notConnected('Discord', probe)
  else
    yield* discordFindings({
      ...config.discord,
      probe,
      bot: await botOn('discord'),
      clock: systemClock,
      everybody: config.access.users.length === 0,
    })
}

/** Discord's ids consist only of digits. */
const isSlackChannel = (probe: string | undefined): boolean => probe !== undefined && !/^\d+$/.test(probe)

/** A placeholder such as "secret" isn't masked, because that would remove the word from every text. */
function* placeholderFindings(secrets: Secret[]): Generator<Finding> {
  const plain = secrets.filter(({ value }) => !isWorthMasking(value))
  for (const name of new Set(plain.map(({ name }) => name))) {
    yield mind(cliWords.placeholderSecret({ name }), cliWords.placeholderSecretRemedy())
  }
}
