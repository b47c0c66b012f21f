import { readdirSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import { reasonOf } from '../kit/failure.ts'
import { nearestName } from '../kit/nearest.ts'
import { readAccounts } from './accounts.ts'
import { camel } from './camel.ts'
import type { Complaint, Config } from './config.ts'
import { addressFault, type Environment, inEnvironment, quotedIn } from './environment.ts'
import { type PlaceOf, readConfigFile, readFileWith, unknownRemedy } from './read-file.ts'
import { namedVariables, secretVariables } from './references.ts'
import { bobbinFile, bobbinFileWith, type ConfigFileName, configFiles, filesOf } from './schema.ts'
import type { SettingsSection } from './section.ts'
import { sectionsWith } from './section-variables.ts'
import { shippedConfigDir } from './shipped.ts'
import { readSlots } from './slots.ts'
import { configWords } from './words.ts'

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** Where each setting is in the files. Only the plug-ins know which tools and sections there are. */
export type Places = Record<'bobbin.yaml' | 'hitl_rules.yaml' | 'tools.yaml', PlaceOf> & {
  /** In the files of capabilities, by section. */
  own: Readonly<Record<string, PlaceOf>>
}

type Loaded = { config: Config; places: Places } | { complaints: Complaint[] }
type Read<Name extends ConfigFileName> = Exclude<ReturnType<typeof readConfigFile<Name>>, { complaints: unknown }>
interface ConfigFiles {
  bobbin: Read<'bobbin.yaml'>
  models: Read<'models.yaml'>
  budgets: Read<'budgets.yaml'>
  rules: Read<'hitl_rules.yaml'>
  tools: Read<'tools.yaml'>
  brought: readonly SettingsSection[]
  /** The files of capabilities, by section. */
  own: Record<string, { values: unknown; placeOf: PlaceOf }>
}

/**
 * Reads files and environment into one frozen Config, or reports everything that is wrong at once. `brought` are the
 * sections that always exist; those of plug-ins are checked once these are loaded.
 */
export function loadConfig(environment: Environment, workingDir: string, brought: readonly SettingsSection[]): Loaded {
  const configDir = resolve(workingDir, environment.BOBBIN_CONFIG_DIR || shippedConfigDir)
  let found: string[]
  try {
    // What may be listed but not entered has files that nobody can read.
    statSync(`${configDir}/.`)
    found = readdirSync(configDir)
  } catch (thrown) {
    const message = configWords.configDirUnreadable({ configDir, reason: reasonOf(thrown) })
    return { complaints: [inEnvironment(message, configWords.configDirRemedy())] }
  }
  const misnamed = misnamedFiles(found, configDir, brought)
  if (misnamed.length > 0) return { complaints: misnamed }
  const files = readFiles(configDir, brought)
  return 'complaints' in files ? files : configOf(files, configDir, environment, workingDir)
}

/** The files of a directory, each merged over the shipped one. */
export function readFiles(
  configDir: string,
  brought: readonly SettingsSection[],
): ConfigFiles | { complaints: Complaint[] } {
  // Unknown sections may belong to a plug-in.
  const schema = bobbinFileWith(brought).catchall(z.unknown())
  const bobbin = readConfigFile('bobbin.yaml', shippedConfigDir, configDir, schema)
  const models = readConfigFile('models.yaml', shippedConfigDir, configDir)
  const budgets = readConfigFile('budgets.yaml', shippedConfigDir, configDir)
  const rules = readConfigFile('hitl_rules.yaml', shippedConfigDir, configDir)
  const tools = readConfigFile('tools.yaml', shippedConfigDir, configDir)
  const ofCapabilities = brought.flatMap(({ section, file, schema }) =>
    file === undefined ? [] : [[section, readFileWith(file, shippedConfigDir, configDir, schema)] as const],
  )
  const own: ConfigFiles['own'] = {}
  for (const [section, result] of ofCapabilities) if (!('complaints' in result)) own[section] = result
  if (
    'complaints' in bobbin ||
    'complaints' in models ||
    'complaints' in budgets ||
    'complaints' in rules ||
    'complaints' in tools ||
    Object.keys(own).length < ofCapabilities.length
  ) {
    const all = [bobbin, models, budgets, rules, tools, ...ofCapabilities.map(([, result]) => result)]
    return { complaints: all.flatMap((result) => ('complaints' in result ? result.complaints : [])) }
  }
  return { bobbin, models, budgets, rules, tools, brought, own }
}

const placesIn = ({ bobbin, rules, tools, own }: Pick<ConfigFiles, 'bobbin' | 'rules' | 'tools' | 'own'>): Places => ({
  'bobbin.yaml': bobbin.placeOf,
  'hitl_rules.yaml': rules.placeOf,
  'tools.yaml': tools.placeOf,
  own: Object.fromEntries(Object.entries(own).map(([name, { placeOf }]) => [name, placeOf])),
})

/** Combines the files and the environment. */
export function configOf(
  { bobbin, models, budgets, rules, tools, brought, own: files }: ConfigFiles,
  configDir: string,
  environment: Environment,
  workingDir: string,
): Loaded {
  const complaints = quotedIn(environment)
  // Where a service is called bobbin, Kubernetes sets this to the service's address.
  const setPort = environment.BOBBIN_PORT?.replace(/^(tcp|udp|sctp):\/\/.*/, '')
  const port = setPort ? Number(setPort) : bobbin.value.server.port
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    complaints.push(inEnvironment(configWords.notPort(), configWords.portRemedy()))
  }
  const logLevel = environment.BOBBIN_LOG_LEVEL || 'info'
  if (!logLevels.includes(logLevel)) {
    const remedy = configWords.logLevelRemedy({ levels: logLevels.join(', ') })
    complaints.push(inEnvironment(configWords.notLogLevel(), remedy))
  }
  const databaseUrl = environment.DATABASE_URL || undefined
  const fault = databaseUrl === undefined ? undefined : addressFault('DATABASE_URL', databaseUrl)
  if (fault !== undefined) complaints.push(inEnvironment(fault.message, fault.remedy))
  const node = environment.BOBBIN_NODE || undefined
  if (node !== undefined && !/^[\p{L}\p{N}_.-]{1,64}$/u.test(node)) {
    complaints.push(inEnvironment(configWords.notNodeName(), configWords.nodeNameRemedy()))
  }
  const slots = readSlots(models, environment, complaints)
  const { own, sections: inFile } = ownSections(bobbin)
  const sections = sectionsWith(inFile, brought, environment, complaints)
  const { plugins, server, slack, ...rest } = own
  const strange = Object.keys(sections).filter(
    (name) => !brought.some(({ section, file }) => section === name && file === undefined),
  )
  if (plugins.length === 0) complaints.push(...strange.map((name) => unknownSection(name, brought, bobbin.placeOf)))
  const accounts = readAccounts(environment, slack, complaints)
  const variables = {
    ...namedVariables(Object.values(files), environment, complaints),
    ...secretVariables(sections, brought, { environment, placeOf: bobbin.placeOf }, complaints),
  }
  if (complaints.length > 0) return { complaints }

  return {
    places: placesIn({ bobbin, rules, tools, own: files }),
    config: deepFreeze({
      ...camel(rest),
      server: { ...camel(server), host: environment.BOBBIN_HOST || server.host, port },
      dataDir: resolve(workingDir, environment.BOBBIN_DATA_DIR || 'data'),
      configDir,
      databaseUrl,
      // Only one bot can use a SQLite file.
      node: databaseUrl === undefined ? undefined : node,
      logLevel,
      plugins: plugins.map(({ path, options = {} }) => ({
        path: isAbsolute(path) ? path : join(configDir, path),
        options,
      })),
      sections: {
        ...sections,
        ...Object.fromEntries(Object.entries(files).map(([name, { values }]) => [name, values])),
      },
      variables,
      searchPath: environment.PATH || '/usr/local/bin:/usr/bin:/bin',
      model: {
        ...slots,
        patience: camel(models.value.patience),
        fallBack: camel(models.value.fall_back),
        probeAtStart: models.value.probe_at_start,
        pricesOf: models.value.prices_of,
      },
      rules: rules.value,
      budgets: budgets.value,
      tiers: tools.value.tools,
      searchKey: environment.WEB_SEARCH_API_KEY || undefined,
      ...accounts,
    }),
  }
}

/** The core sections of `bobbin.yaml`, checked, and those of capabilities, unchecked. */
function ownSections({ value, values }: ConfigFiles['bobbin']) {
  const isOwn = ([name]: [string, unknown]) => Object.hasOwn(bobbinFile.shape, name)
  return {
    own: Object.fromEntries(Object.entries(value).filter(isOwn)) as typeof value,
    sections: Object.fromEntries(Object.entries(values as object).filter((entry) => !isOwn(entry))),
  }
}

/** A section that belongs neither to Bobbin nor to a plug-in. */
export const unknownSection = (name: string, brought: readonly SettingsSection[], placeOf: PlaceOf): Complaint => ({
  ...placeOf([name], true),
  message: `there is no setting called ${name}`,
  remedy: unknownRemedy(name, Object.keys(bobbinFileWith(brought).shape)),
})

/** Files with the wrong name: nobody reads them, so their settings aren't in force. */
function misnamedFiles(found: string[], configDir: string, brought: readonly SettingsSection[]): Complaint[] {
  const names = Object.keys({ ...configFiles, ...filesOf(brought) })
  const stems = names.map((name) => name.replace('.yaml', ''))
  return found.flatMap((file) => {
    const stem = file
      .toLowerCase()
      .replace(/-/g, '_')
      .replace(/\.ya?ml$/, '')
    if (!/\.ya?ml$/i.test(file) || names.includes(file)) return []
    // A longer name, such as bobbin2.yaml, is no slip: it may be a copy that somebody keeps.
    const nearest = stems.includes(stem) ? stem : nearestName(stem, stems)
    if (nearest === undefined || (stem !== nearest && stem.includes(nearest))) return []
    const meant = `${nearest}.yaml`
    // Beside the right one, a name that is only like it is somebody else's.
    if (stem !== nearest && found.includes(meant)) return []
    const remedy = configWords.fileNameRemedy({ meant })
    return [{ file: join(configDir, file), message: 'this file is not read', remedy }]
  })
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner)
    Object.freeze(value)
  }
  return value
}
