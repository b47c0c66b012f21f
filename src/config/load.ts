import { existsSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import type { z } from 'zod'
import type { ModelSlot } from '../domain/model.ts'
import { readAccounts } from './accounts.ts'
import { camel } from './camel.ts'
import type { Complaint, Config } from './config.ts'
import { type Environment, inEnvironment, isHttpUrl } from './environment.ts'
import { readConfigFile } from './read-file.ts'
import type { modelsFile } from './schema.ts'

/** The configuration that the package ships: `config/` beside `src/`. */
export const shippedConfigDir = resolve(import.meta.dirname, '../../config')

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** Reads files and environment into one frozen Config, or says everything that is wrong at once. */
export function loadConfig(
  environment: Environment,
  workingDir: string,
): { config: Config } | { complaints: Complaint[] } {
  const configDir = resolve(workingDir, environment.BOBBIN_CONFIG_DIR || shippedConfigDir)
  if (!existsSync(configDir)) {
    const remedy = 'Correct BOBBIN_CONFIG_DIR, or leave it out to use the shipped configuration.'
    return { complaints: [inEnvironment(`there is no directory ${configDir}`, remedy)] }
  }
  const bobbin = readConfigFile('bobbin.yaml', shippedConfigDir, configDir)
  const models = readConfigFile('models.yaml', shippedConfigDir, configDir)
  const rules = readConfigFile('hitl_rules.yaml', shippedConfigDir, configDir)
  if ('complaints' in bobbin || 'complaints' in models || 'complaints' in rules) {
    return {
      complaints: [bobbin, models, rules].flatMap((result) => ('complaints' in result ? result.complaints : [])),
    }
  }

  const complaints: Complaint[] = []
  const port = environment.BOBBIN_PORT ? Number(environment.BOBBIN_PORT) : bobbin.value.server.port
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    complaints.push(
      inEnvironment(`BOBBIN_PORT is "${environment.BOBBIN_PORT}"`, 'Use a number from 0 (any free port) to 65535.'),
    )
  }
  const logLevel = environment.BOBBIN_LOG_LEVEL || 'info'
  if (!logLevels.includes(logLevel)) {
    complaints.push(inEnvironment(`BOBBIN_LOG_LEVEL is "${logLevel}"`, `Use one of ${logLevels.join(', ')}.`))
  }
  const base = baseSlot(models.value, environment, {
    complaints,
    keyPlace: models.placeOf(['slots', 'base', 'api_key']),
  })
  const { plugins, server, slack, ...rest } = bobbin.value
  const accounts = readAccounts(environment, slack, complaints)
  if (complaints.length > 0) return { complaints }

  return {
    config: deepFreeze({
      ...camel(rest),
      server: { ...camel(server), host: environment.BOBBIN_HOST || server.host, port },
      dataDir: resolve(workingDir, environment.BOBBIN_DATA_DIR || 'data'),
      configDir,
      logLevel,
      plugins: plugins.map(({ path, options = {} }) => ({
        path: isAbsolute(path) ? path : join(configDir, path),
        options,
      })),
      model: { base, patience: camel(models.value.patience) },
      rules: rules.value,
      ...accounts,
    }),
  }
}

interface Faults {
  complaints: Complaint[]
  /** Where models.yaml says what the key is. */
  keyPlace: Pick<Complaint, 'file' | 'line' | 'column'>
}

/** The base slot, from the environment over the file; undefined when neither names a model. */
function baseSlot(
  models: z.infer<typeof modelsFile>,
  environment: Environment,
  { complaints, keyPlace }: Faults,
): ModelSlot | undefined {
  const written = models.slots.base ?? {}
  const from = (part: string) => environment[`MODEL_BASE_${part}`] || environment[`MODEL_BASIC_${part}`]
  const apiKey = from('API_KEY') ?? expand(written.api_key, environment, { complaints, keyPlace })
  const baseUrl = from('BASE_URL') ?? written.base_url
  const id = from('ID') ?? written.id
  if (!apiKey && !baseUrl && !id) return undefined
  if (!id) {
    complaints.push(inEnvironment('MODEL_BASE_ID is missing', 'Set it to the id of the model, such as gpt-4o.'))
    return undefined
  }
  if (baseUrl && !isHttpUrl(baseUrl)) {
    complaints.push(
      inEnvironment(`MODEL_BASE_BASE_URL is "${baseUrl}"`, 'Use an address such as https://api.openai.com/v1.'),
    )
    return undefined
  }
  if (complaints.length > 0) return undefined
  if (!baseUrl && !apiKey) {
    const remedy = 'Set it, or MODEL_BASE_BASE_URL for a server that needs no key.'
    complaints.push(inEnvironment('MODEL_BASE_API_KEY is missing', remedy))
    return undefined
  }
  const known = models.known[id] ?? models.unknown
  return {
    id,
    baseUrl: baseUrl ?? 'https://api.openai.com/v1',
    apiKey: apiKey ?? '',
    contextLimit: written.context ?? known.context,
    outputLimit: written.output ?? known.output,
    temperature: written.temperature ?? models.temperature,
    price: written.price ?? known.price,
  }
}

/** Puts the environment's values for `${NAME}`. */
function expand(
  text: string | undefined,
  environment: Environment,
  { complaints, keyPlace }: Faults,
): string | undefined {
  return text?.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    if (environment[name] === undefined) {
      complaints.push({ ...keyPlace, message: `${name} is not set`, remedy: `Set ${name}, in .env for example.` })
    }
    return environment[name] ?? ''
  })
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner)
    Object.freeze(value)
  }
  return value
}
