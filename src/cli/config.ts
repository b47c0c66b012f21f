import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { editorSchemas } from '../config/json-schemas.ts'
import { priceWords } from '../kit/model/cost.ts'
import type { ModelSlot } from '../kit/model/model.ts'
import { builtinSections } from '../wiring/capabilities.ts'
import { loadPlugins } from '../wiring/plugins.ts'
import { ConfigFaults } from './config-faults.ts'
import { loadWithPlaces } from './load.ts'
import { partComplaints } from './part-complaints.ts'
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
    const complaints = partComplaints(config, places, await loadPlugins(config.plugins))
    if (complaints.length > 0) throw new ConfigFaults(complaints)
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
    ? cliWords.modelWithPrice({ ...limits, input: priceWords(price.input), out: priceWords(price.output) })
    : cliWords.modelWithoutPrice(limits)
}
