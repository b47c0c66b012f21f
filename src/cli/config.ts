import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { editorSchemas } from '../config/json-schemas.ts'
import type { ModelSlot } from '../kit/model/model.ts'
import { builtinCapabilities, builtinSections } from '../wiring/capabilities.ts'
import { allTools, loadPlugins, unknownNames, unknownTools } from '../wiring/plugins.ts'
import { settingComplaints } from '../wiring/settings.ts'
import { ConfigFaults, loadWithPlaces } from './load.ts'
import { UsageFault } from './usage.ts'

/** `config check` and `config schemas`. */
export async function configCommand([action = 'check', ...more]: string[]): Promise<number> {
  if (more.length > 0 || !['check', 'schemas'].includes(action))
    throw new UsageFault(`There is no "config ${[action, ...more].join(' ')}".`, 'Usage: config check, config schemas.')
  const { config, places } = loadWithPlaces()
  if (action === 'check') {
    const plugins = await loadPlugins(config.plugins)
    const capabilities = [...builtinCapabilities, ...plugins]
    const tools = allTools(builtinCapabilities, plugins)
    const unknown = unknownTools(config, tools, capabilities)
    const mentioned = unknownNames(config, tools, capabilities).flatMap(({ section, path, ...about }) => {
      const placeOf = places.own[section]
      return placeOf === undefined ? [] : { ...placeOf(path), ...about }
    })
    const ofSections = settingComplaints(config, capabilities, places)
    const complaints = unknown.map(({ file, path, isKey, message, remedy }) => ({
      ...places[file](path, isKey),
      message,
      remedy,
    }))
    const all = [...complaints, ...ofSections, ...mentioned]
    if (all.length > 0) throw new ConfigFaults(all)
    const { vision } = config.model
    const further = (['reasoning', 'code', 'chat'] as const).flatMap((name) => {
      const slot = config.model[name]
      return slot === undefined ? [] : [`${name[0]?.toUpperCase()}${name.slice(1)}: ${described(slot)}\n`]
    })
    const images = vision ? described(vision) : 'no model that sees them is configured'
    const model = config.model.base ? described(config.model.base) : 'the practice model (no endpoint is configured)'
    process.stdout.write(
      `The configuration is fine.\n${config.rules.approvals ? '' : 'Approvals are turned off: Bobbin never asks (approvals: false in hitl_rules.yaml).\n'}Files: ${config.configDir}\nData: ${config.dataDir}\nModel: ${model}\nImages: ${images}\n${further.join('')}`,
    )
    return 0
  }
  const directory = join(config.configDir, 'schemas')
  mkdirSync(directory, { recursive: true })
  for (const [name, schema] of Object.entries(editorSchemas(builtinSections)))
    writeFileSync(join(directory, name), schema)
  process.stdout.write(`Written to ${directory}\n`)
  return 0
}

function described({ id, contextLimit, outputLimit, price }: ModelSlot): string {
  const limits = `${contextLimit.toLocaleString('en')} tokens of context, ${outputLimit.toLocaleString('en')} of output`
  const cost = price ? `$${price.input} in and $${price.output} out for a million` : 'price unknown'
  return `${id} (${limits}; ${cost})`
}
