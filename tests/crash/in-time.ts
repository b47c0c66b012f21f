import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome } from './ground.ts'

/** Of a test that runs a campaign, ms. */
export const campaignMs = 900_000

/** Left for looking into what hangs, ms. */
const lookMs = 60_000
/** The end of the bot's log, in characters: where it stood. */
const mostLog = 6_000

/** Runs a campaign in a test. One that hangs fails with what it said so far, and with the end of the bot's log. */
export async function inTime(run: (say: (line: string) => void) => Promise<Outcome>): Promise<Outcome> {
  const said: string[] = []
  const over = new AbortController()
  const hanging = sleep(campaignMs - lookMs, undefined, { signal: over.signal }).then(async () => {
    throw new Error(`it hangs. It said:\n${said.join('\n')}\nThe bot's log ends so:\n${await logOf(said)}`)
  })
  try {
    return await Promise.race([run((line) => said.push(line)), hanging])
  } finally {
    over.abort()
    hanging.catch(() => {})
  }
}

/** The first line says where everything lies. */
async function logOf([where = '']: string[]): Promise<string> {
  const log = await readFile(join(where.replace('in ', ''), 'bot.log'), 'utf8').catch(String)
  return log.slice(-mostLog)
}
