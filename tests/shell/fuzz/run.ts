import { parseArgs } from 'node:util'
import { compare } from './compare.ts'
import { linesFrom } from './lines.ts'

const usage = 'Usage: npm run fuzz:shell -- [--seconds 60] [--seed 7]'
const perRound = 1_000
const mostShown = 20

/** Looks for lines with which bash does more than was believed, until the time is over. */
function main(): number {
  const { values } = parseArgs({
    options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string', default: '7' } },
  })
  const [seconds, seed] = [Number(values.seconds), Number(values.seed)]
  if (!(seconds > 0) || !Number.isInteger(seed)) {
    process.stderr.write(`${usage}\n`)
    return 2
  }
  const until = performance.now() + seconds * 1000
  const sum = { lines: 0, recognised: 0, allowed: 0, called: 0 }
  for (let round = 0; performance.now() < until; round++) {
    const lines = linesFrom(seed + round, perRound)
    const { faults, ...counts } = compare(lines)
    sum.lines += lines.length
    for (const key of ['recognised', 'allowed', 'called'] as const) sum[key] += counts[key]
    for (const { line, what } of faults.slice(0, mostShown)) process.stdout.write(`${JSON.stringify(line)}: ${what}\n`)
    if (faults.length > 0) {
      process.stdout.write(`Found in round ${round}; --seed ${seed + round} begins with it.\n`)
      return 1
    }
  }
  const { lines, recognised, allowed, called } = sum
  process.stdout.write(
    `${lines} lines, ${recognised} of them in the small language, ${allowed} let through; bash made ${called} calls, none unforeseen.\n`,
  )
  return 0
}

process.exitCode = main()
