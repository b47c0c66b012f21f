import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { editorSchemas } from '../config/json-schemas.ts'
import type { ModelSlot } from '../kit/model/model.ts'
import { builtinCapabilities, builtinSections } from '../wiring/capabilities.ts'
import { allTools, loadPlugins, unknownNames, unknownTools } from '../wiring/plugins.ts'
import { settingComplaints } from '../wiring/settings.ts'
import { ConfigFaults } from './config-faults.ts'
import { loadWithPlaces } from './load.ts'
import { UsageFault } from './usage.ts'
import { cliWords } from './words.ts'

/** `config check` and `config schemas`. */
export async function configCommand([action = 'check', ...more]: string[]): Promise<number> {
  if (more.length > 0 || !['check', 'schemas'].includes(action))
    throw new UsageFault(
      cliWords.noSubcommand({ command: ['config', action, ...more].join(' ') }),
      'Usage: config check, config schemas.',
    )
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
    const images = vision ? described(vision) : cliWords.noImageModel()
    const model = config.model.base ? described(config.model.base) : cliWords.practiceModel()
    process.stdout.write(
      [
        cliWords.configFine(),
        ...(config.rules.approvals ? [] : [cliWords.approvalsOff()]),
        cliWords.configurationPlaces({ files: config.configDir, data: config.dataDir, model, images }),
        further.join(''),
      ].join('\n'),
    )
    return 0
  }
  const directory = join(config.configDir, 'schemas')
  mkdirSync(directory, { recursive: true })
  for (const [name, schema] of Object.entries(editorSchemas(builtinSections)))
    writeFileSync(join(directory, name), schema)
  process.stdout.write(`${cliWords.writtenTo({ directory })}\n`)
  return 0
}

function described({ id, contextLimit, outputLimit, price }: ModelSlot): string {
  const limits = { id, context: contextLimit, output: outputLimit }
  return price
    ? cliWords.modelWithPrice({ ...limits, input: `$${price.input}`, out: `$${price.output}` })
    : cliWords.modelWithoutPrice(limits)
}
