import { parseArgs } from 'node:util'
import { type Mutant, mutants } from './mutants.ts'
import { runCampaign } from './run.ts'

const usage = `Usage: node tests/crash/campaign.ts [--kills 200] [--seed 7] [--freezes 12] [--conversations 20]
       [--without ${mutants.join('|')}] [--keep] [--quiet]`

/** Of each rule: the first ones say most. */
const mostShown = 25

async function main(): Promise<number> {
  if (Number(process.versions.node.split('.')[0]) < 24) throw new Error(`This needs Node 24, and is ${process.version}`)
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '200' },
      seed: { type: 'string', default: '7' },
      freezes: { type: 'string' },
      conversations: { type: 'string', default: '20' },
      without: { type: 'string' },
      keep: { type: 'boolean', default: false },
      quiet: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { without, quiet, keep } = values
  const [kills, seed, conversations] = [values.kills, values.seed, values.conversations].map(Number)
  const freezes = Number(values.freezes ?? Math.ceil((kills ?? 0) * 0.06))
  if (
    values.help ||
    !kills ||
    !conversations ||
    seed === undefined ||
    Number.isNaN(seed + freezes) ||
    !isMutant(without)
  ) {
    process.stderr.write(`${usage}\n`)
    return 2
  }
  const say = (line: string) => void (quiet || process.stderr.write(`${line}\n`))
  const { summary, faults, directory } = await runCampaign({ kills, seed, conversations, freezes, without, keep, say })
  for (const [rule, of] of Map.groupBy(faults, ({ rule }) => rule)) {
    for (const { fact } of of.slice(0, mostShown)) process.stdout.write(`${rule}: ${fact}\n`)
    if (of.length > mostShown) process.stdout.write(`${rule}: ${of.length} in all\n`)
  }
  if (faults.length > 0 || keep) process.stdout.write(`everything lies in ${directory}\n`)
  process.stdout.write(`${without === undefined ? '' : `without ${without} · `}${summary}\n`)
  return faults.length > 0 ? 1 : 0
}

const isMutant = (name: string | undefined): name is Mutant | undefined =>
  name === undefined || mutants.some((mutant) => mutant === name)

process.exit(await main())
