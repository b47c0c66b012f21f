import { parseArgs } from 'node:util'
import { databasePlace } from '../config/config.ts'
import { reasonOf } from '../kit/failure.ts'
import { oneLine, plainName, visible } from '../kit/text/text.ts'
import { type KnownFeedback, listFeedback } from '../store/feedback.ts'
import { loadOrThrow } from './load.ts'
import { openStore } from './open-store.ts'
import { UsageFault } from './usage.ts'
import { cliWords } from './words.ts'

const usage = 'Usage: feedback [--bad] [--limit <number>].'
const latest = 20
const most = 10_000

/** Lists what people think of answers, with their reasons. Works while the bot runs. */
export async function feedbackCommand(args: string[]): Promise<number> {
  const { bad, limit } = parsed(args)
  const found = await read(databasePlace(loadOrThrow()), bad, limit)
  const nothing = bad ? cliWords.noBadFeedback() : cliWords.noFeedback()
  process.stdout.write(`${found.length === 0 ? nothing : found.map(line).join('\n')}\n`)
  return 0
}

async function read(file: string, bad: boolean, limit: number): Promise<KnownFeedback[]> {
  const store = await openStore(file)
  try {
    return await listFeedback(store.db, { value: bad ? 'bad' : undefined, limit })
  } finally {
    await store.close()
  }
}

function parsed(args: string[]): { bad: boolean; limit: number } {
  let values: { bad?: boolean | undefined; limit?: string | undefined }
  try {
    ;({ values } = parseArgs({ args, options: { bad: { type: 'boolean' }, limit: { type: 'string' } } }))
  } catch (thrown) {
    throw new UsageFault(reasonOf(thrown), usage)
  }
  const limit = Number(values.limit ?? latest)
  if (!Number.isInteger(limit) || limit < 1 || limit > most)
    throw new UsageFault(`--limit is a number from 1 to ${most}.`, usage)
  return { bad: values.bad === true, limit }
}

function line({ at, session, thread, title, value, reason, person }: KnownFeedback): string {
  const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  const why = reason === undefined ? '' : `: ${visible(oneLine(reason, 1_000))}`
  return `${when} UTC  ${value.padEnd(4)}  ${session}  ${thread.platform}/${thread.project}  ${visible(oneLine(title, 60))}  ${plainName(person.name)}${why}`
}
