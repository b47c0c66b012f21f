import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outcome } from './ground.ts'

/** Of a test that runs a campaign, ms: on a busy machine, it may take twenty times as long as usual. */
export const campaignMs = 7_200_000

/** One that has had nothing to say for so long hangs, ms. */
const silentMs = 600_000
/** The end of the bot's log, in characters: where it stood. */
const mostLog = 6_000

/** Runs a campaign in a test. One that hangs fails with what it said so far, and with the end of the bot's log. */
export async function inTime(run: (say: (line: string) => void) => Promise<Outcome>): Promise<Outcome> {
  const said: string[] = []
  const { promise: hanging, reject } = Promise.withResolvers<never>()
  const silence = setTimeout(async () => {
    reject(new Error(`it hangs. It said:\n${said.join('\n')}\nThe bot's log ends so:\n${await logOf(said)}`))
  }, silentMs)
  const say = (line: string) => {
    said.push(line)
    silence.refresh()
  }
  try {
    return await Promise.race([run(say), hanging])
  } finally {
    clearTimeout(silence)
  }
}

/** The first line says where everything lies. */
async function logOf([where = '']: string[]): Promise<string> {
  const log = await readFile(join(where.replace('in ', ''), 'bot.log'), 'utf8').catch(String)
  return log.slice(-mostLog)
}
