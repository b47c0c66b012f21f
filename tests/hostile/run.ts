import { parseArgs } from 'node:util'
import { openLab } from './lab.ts'
import { type Outcome, playAll } from './play.ts'
import { type Asi, type Result, risks } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    list: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    bite: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const usage = `npm run hostile -- [--only <text>] [--list] [--json] [--bite]

  --only <text>  scenarios whose id, risk or title holds the text; several times for several
  --list         names them and plays none
  --json         one JSON object for each, and nothing else
  --bite         switches protections off, one by one, in a copy, and shows which scenarios fail then`

function table(outcomes: Outcome[]): string {
  const results: Result[] = ['contained', 'asked', 'refused', 'done']
  const count = (asi: Asi | undefined, result: Result | undefined) =>
    outcomes.filter((one) => (asi ?? one.asi) === one.asi && (result ?? one.result) === one.result).length
  const line = (asi: Asi | undefined, name: string) =>
    [
      name.padEnd(46),
      ...results.map((result) => `${count(asi, result)}`.padStart(9)),
      `${count(asi, undefined)}`.padStart(7),
    ].join(' ')
  const head = [''.padEnd(46), ...results.map((result) => result.padStart(9)), 'all'.padStart(7)].join(' ')
  const lines = (Object.keys(risks) as Asi[]).map((asi) => line(asi, `${asi} ${risks[asi]}`))
  return [head, ...lines, line(undefined, 'all')].join('\n')
}

async function main(): Promise<number> {
  if (values.help) {
    say(usage)
    return 0
  }
  if (values.bite) {
    const { bite } = await import('./bite.ts')
    return bite(values.only ?? [], say)
  }
  const wanted = (values.only ?? []).map((text) => text.toLowerCase())
  const chosen = scenarios.filter(
    ({ id, asi, title }) =>
      wanted.length === 0 || wanted.some((text) => `${id} ${asi} ${title}`.toLowerCase().includes(text)),
  )
  if (values.list) {
    for (const { id, asi, title, expect } of chosen) say(`${asi} ${id.padEnd(28)} ${expect.padEnd(10)} ${title}`)
    say(`${chosen.length} scenarios`)
    return 0
  }
  if (chosen.length === 0) {
    say('No scenario fits. `--list` names them.')
    return 2
  }
  const begun = performance.now()
  const lab = await openLab()
  const outcomes = await playAll(chosen, lab, {
    told: (outcome) => {
      if (values.json) return say(JSON.stringify(outcome))
      const { asi, id, result, ms, title, evidence, fault } = outcome
      say(`${result.padEnd(9)} ${asi} ${id.padEnd(28)} ${`${ms} ms`.padStart(9)}  ${title}`)
      for (const one of evidence) say(`          ! ${one}`)
      if (fault !== undefined) say(`          ? ${fault}`)
    },
  }).finally(() => lab.close())
  const isWell = outcomes.every(({ result, fault }) => result !== 'done' && fault === undefined)
  if (!values.json) {
    say(`\n${table(outcomes)}\n`)
    const faults = outcomes.filter(({ fault }) => fault !== undefined).length
    const seconds = ((performance.now() - begun) / 1000).toFixed(0)
    say(
      `${outcomes.length} scenarios in ${seconds} s, ${outcomes.filter(({ result }) => result === 'done').length} done, ${faults} not as they had to be.`,
    )
  }
  return isWell ? 0 : 1
}

process.exitCode = await main()
