import { spawn } from 'node:child_process'
import { resolve } from 'node:path'

/** A row of the table: our figure, the baseline's from the same run, the comparison, and the target. */
export function row(what: string, ours = '', theirs = '', compared = '', target = ''): void {
  const columns = [what.padEnd(52), ours.padStart(10), theirs.padStart(10), compared.padStart(14), `  ${target}`]
  process.stdout.write(`${columns.join(' ').trimEnd()}\n`)
}

export const atMost = (value: number, limit: number, unit = ''): string =>
  `at most ${limit}${unit}: ${value <= limit ? 'ok' : 'missed'}`

export const ms = (value: number): string => `${value.toFixed(1)} ms`
export const mb = (value: number): string => `${value.toFixed(0)} MB`

/** The value below which this share of them lies. */
export const at = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN
export const median = (values: number[]): number => at(values, 0.5)

/** The rows of bench/database.ts, which has its own process because it counts inside the bot's. */
export const measureDatabase = (): Promise<void> =>
  new Promise((done) => {
    const child = spawn(process.execPath, [resolve(import.meta.dirname, 'database.ts')], { stdio: 'inherit' })
    child.once('exit', () => done())
  })
