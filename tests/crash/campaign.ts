import { parseArgs } from 'node:util'
import type { Outcome } from './ground.ts'
import { type Mutant, mutants } from './mutants.ts'
import { runPlatformCampaign } from './platforms/run.ts'
import { type CampaignOptions, runCampaign } from './run.ts'

const platforms = ['console', 'slack', 'discord'] as const
type Platform = (typeof platforms)[number]

const usage = `Usage: node tests/crash/campaign.ts [--platform ${platforms.join('|')}] [--kills 200] [--seed 7]
       [--freezes 12] [--conversations 20] [--calm] [--nodes 3] [--silent 10000] [--without ${mutants.join('|')}] [--keep] [--quiet]`

/** Faults shown per rule; the first ones are the most telling. */
const mostShown = 25

/** People on a platform have to wait for rate limits that a whole workspace shares. */
const atOnce: Record<Platform, number> = { console: 20, slack: 10, discord: 10 }

async function main(): Promise<number> {
  if (Number(process.versions.node.split('.')[0]) < 24) throw new Error(`This needs Node 24, and is ${process.version}`)
  const { values } = parseArgs({
    options: {
      platform: { type: 'string' },
      kills: { type: 'string', default: '200' },
      seed: { type: 'string', default: '7' },
      freezes: { type: 'string' },
      conversations: { type: 'string' },
      calm: { type: 'boolean', default: false },
      nodes: { type: 'string' },
      silent: { type: 'string', default: '10000' },
      without: { type: 'string' },
      keep: { type: 'boolean', default: false },
      quiet: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { platform, without, quiet, keep, calm } = values
  const [kills, seed] = [values.kills, values.seed].map(Number)
  const freezes = Number(values.freezes ?? Math.ceil((kills ?? 0) * 0.06))
  const conversations = values.conversations === undefined ? undefined : Number(values.conversations)
  const numbers = [seed, freezes, conversations ?? 1, Number(values.nodes ?? 1), Number(values.silent)]
  if (values.help || !kills || numbers.some(Number.isNaN) || !isMutant(without) || !isPlatform(platform)) {
    process.stderr.write(`${usage}\n`)
    return 2
  }
  const say = (line: string) => void (quiet || process.stderr.write(`${line}\n`))
  const nodes =
    values.nodes === undefined ? undefined : { count: Number(values.nodes), silentMs: Number(values.silent) }
  const chosen = platform === undefined ? platforms : [platform]
  let failed = false
  for (const one of chosen) {
    const share = (whole: number) => Math.ceil(whole / chosen.length)
    const options: CampaignOptions = {
      ...{ seed: seed ?? 0, kills: share(kills), freezes: share(freezes), nodes, without, keep, say },
      conversations: conversations ?? atOnce[one],
    }
    const outcome =
      one === 'console' ? await runCampaign(options) : await runPlatformCampaign({ ...options, platform: one, calm })
    tell(one, outcome, options)
    failed ||= outcome.faults.length > 0
  }
  return failed ? 1 : 0
}

function tell(platform: Platform, { summary, faults, directory }: Outcome, { without, keep }: CampaignOptions): void {
  for (const [rule, of] of Map.groupBy(faults, ({ rule }) => rule)) {
    for (const { fact } of of.slice(0, mostShown)) process.stdout.write(`${platform}: ${rule}: ${fact}\n`)
    if (of.length > mostShown) process.stdout.write(`${platform}: ${rule}: ${of.length} in all\n`)
  }
  if (faults.length > 0 || keep) process.stdout.write(`everything lies in ${directory}\n`)
  process.stdout.write(`${without === undefined ? '' : `without ${without} · `}${platform} · ${summary}\n`)
}

const isMutant = (name: string | undefined): name is Mutant | undefined =>
  name === undefined || mutants.some((mutant) => mutant === name)

const isPlatform = (name: string | undefined): name is Platform | undefined =>
  name === undefined || platforms.some((platform) => platform === name)

process.exit(await main())
