import { parseArgs } from 'node:util'
import { databasePlace } from '../config/config.ts'
import { Failure, reasonOf } from '../kit/failure.ts'
import { newToken } from '../kit/new-token.ts'
import { oneLine, visible } from '../kit/text/text.ts'
import { refuseMoved } from '../store/moved.ts'
import type { Store } from '../store/store.ts'
import { addToken, listTokens, revokeToken, type Token } from '../store/tokens.ts'
import { loadOrThrow } from './load.ts'
import { openStore } from './open-store.ts'
import { UsageFault } from './usage.ts'
import { cliWords } from './words.ts'

const usage = 'Usage: token new [<name>], token list, token revoke <id>.'

type Wanted = { action: 'new' | 'list' | 'revoke'; rest: string | undefined }

/** The tokens that open the console where it listens beyond this machine. Works while the bot runs. */
export async function tokenCommand(args: string[]): Promise<number> {
  const wanted = parsed(args)
  const store = await openStore(databasePlace(loadOrThrow()))
  try {
    return await run(store, wanted)
  } finally {
    await store.close()
  }
}

async function run(store: Store, { action, rest }: Wanted): Promise<number> {
  if (action === 'list') {
    const tokens = await listTokens(store.db)
    process.stdout.write(tokens.length === 0 ? `${cliWords.noTokens()}\n` : `${tokens.map(line).join('\n')}\n`)
    return 0
  }
  await refuseMoved(store.db)
  if (action === 'revoke') {
    const id = rest ?? ''
    if (!(await store.transaction((tx) => revokeToken(tx, id))))
      throw new Failure(
        'no_token',
        cliWords.noToken({ id: JSON.stringify(oneLine(id, 60)) }),
        '`bobbin token list` lists them.',
      )
    process.stdout.write(`${id} is revoked. Whoever used it is signed out within seconds.\n`)
    return 0
  }
  const value = newToken()
  const name = oneLine(rest ?? 'unnamed', 60)
  const id = await store.transaction((tx) => addToken(tx, { name, value }))
  process.stdout.write(`${value}\n`)
  process.stderr.write(`${cliWords.tokenShownOnce({ id })}\n`)
  return 0
}

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const line = ({ id, name, createdAt, usedAt }: Token): string =>
  `${id}  ${visible(name)}  made on ${day(createdAt)}, ${usedAt === undefined ? 'never used' : `last used on ${day(usedAt)}`}`

function parsed(args: string[]): Wanted {
  let positionals: string[]
  try {
    ;({ positionals } = parseArgs({ args, allowPositionals: true }))
  } catch (thrown) {
    throw new UsageFault(reasonOf(thrown), usage)
  }
  const [action, rest, ...more] = positionals
  if (action !== 'new' && action !== 'list' && action !== 'revoke')
    throw new UsageFault(
      action === undefined
        ? cliWords.tokenActionMissing()
        : cliWords.noSubcommand({ command: `token ${oneLine(action, 40)}` }),
      usage,
    )
  if (more.length > 0 || (action === 'list' && rest !== undefined)) throw new UsageFault(cliWords.tooMuch(), usage)
  if (action === 'revoke' && rest === undefined) throw new UsageFault(cliWords.grantIdMissing(), usage)
  return { action, rest }
}
