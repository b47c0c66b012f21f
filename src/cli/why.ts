import { type Config, databasePlace } from '../config/config.ts'
import { oneLine, plainName } from '../kit/text/text.ts'
import { messageIn as discordMessageIn } from '../platforms/discord/directory/named-message.ts'
import { messageIn as slackMessageIn } from '../platforms/slack/directory/links.ts'
import { type KnownIgnored, listIgnored } from '../store/ignored.ts'
import { loadOrThrow } from './load.ts'
import { openStore } from './open-store.ts'
import { cliWords } from './words.ts'

/** How many are listed when no message is given. */
const latest = 20

/** Says why a message wasn't answered, or why the latest ones weren't. Works while the bot runs. */
export async function whyCommand([named, ...more]: string[]): Promise<number> {
  if (more.length > 0 || named?.startsWith('-')) {
    process.stderr.write('Usage: why [message id or link].\n')
    return 2
  }
  const message = named ? (slackMessageIn(named) ?? discordMessageIn(named) ?? named) : undefined
  const config = loadOrThrow()
  const found = await reasons(config, message)
  const nothing = message === undefined ? cliWords.noneIgnored() : unknown(message, config)
  process.stdout.write(`${found.length === 0 ? nothing : found.map(line).join('\n')}\n`)
  return 0
}

async function reasons(config: Config, message: string | undefined): Promise<KnownIgnored[]> {
  const store = await openStore(databasePlace(config))
  try {
    return await listIgnored(store.db, { message, limit: latest })
  } finally {
    await store.close()
  }
}

const unknown = (message: string, { keep }: Config): string =>
  cliWords.reasonUnknown({ message: oneLine(message, 100), days: keep.ignoredDays })

function line({ at, thread, message, person, reason }: KnownIgnored): string {
  const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  const where = [thread.platform, thread.tenant, thread.project].join('/')
  return `${when} UTC  ${where}  ${message}  ${plainName(person.name)}: ${reason}`
}
