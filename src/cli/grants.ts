import { parseArgs } from 'node:util'
import { databasePlace } from '../config/config.ts'
import { type Grant, isOfClosed } from '../domain/grant.ts'
import { everyProgram, minute, patternsOf, termsOf } from '../inbound/commands/grants.ts'
import { systemClock } from '../kit/clock.ts'
import { Failure, reasonOf } from '../kit/failure.ts'
import { createSecrets } from '../kit/secrets/secrets.ts'
import { listGrants } from '../store/grants.ts'
import { refuseMoved } from '../store/moved.ts'
import type { Store } from '../store/store.ts'
import { revokeGrant } from '../trust/give-grant.ts'
import { builtinCapabilities } from '../wiring/capabilities.ts'
import { ownSecrets } from '../wiring/secrets.ts'
import { loadOrThrow } from './load.ts'
import { openStore } from './open-store.ts'
import { UsageFault } from './usage.ts'
import { cliWords } from './words.ts'

const usage = 'Usage: grants [--all], grants revoke <id>.'

/** The audit log has the older ones. */
const most = 10_000

/** Whoever has the data directory is the operator. */
const operator = { id: 'operator', name: 'the operator' }

/** `grants` lists what is always allowed, `grants revoke` ends one. Both work while the bot runs. */
export async function grantsCommand(args: string[]): Promise<number> {
  const { all, action, id } = parsed(args)
  const config = loadOrThrow()
  const store = await openStore(databasePlace(config), createSecrets(ownSecrets(config, builtinCapabilities)).mask)
  try {
    const found = await listGrants(store.db, most, systemClock.now())
    return action === 'revoke' ? await revoke(store, found, id) : list(found, all)
  } finally {
    await store.close()
  }
}

function parsed(args: string[]) {
  let values: { all: boolean }
  let positionals: string[]
  try {
    const options = { all: { type: 'boolean', default: false } } as const
    ;({ values, positionals } = parseArgs({ args, options, allowPositionals: true }))
  } catch (thrown) {
    throw new UsageFault(reasonOf(thrown), usage)
  }
  const [action, id = '', ...more] = positionals
  if (action !== undefined && action !== 'revoke')
    throw new UsageFault(cliWords.noSubcommand({ command: `grants ${action}` }), usage)
  if (more.length > 0 || (action === 'revoke' && id === '')) throw new UsageFault(cliWords.grantIdMissing(), usage)
  return { all: values.all, action, id }
}

const isInForce = ({ endedAt, until }: Grant): boolean =>
  endedAt === undefined && (until === undefined || until > systemClock.now())

function list(found: Grant[], all: boolean): number {
  const shown = all ? found : found.filter(isInForce)
  process.stdout.write(shown.length === 0 ? `${cliWords.nothingAllowed()}\n` : `${shown.map(line).join('\n')}\n`)
  return 0
}

function line(grant: Grant): string {
  const { id, platform, tenant, project, tool } = grant
  const where = [platform, tenant, project].join('/')
  const what = patternsOf(grant, (pattern) => pattern)
  return printable(
    [`${id}  ${where}  ${isOfClosed(grant) ? everyProgram() : tool}: ${what}`, termsOf(grant), ...endOf(grant)].join(
      ' · ',
    ),
  )
}

function endOf(grant: Grant): string[] {
  if (isInForce(grant)) return []
  const { endedAt, endedBy, until } = grant
  if (endedBy !== undefined) return [`ended ${minute(endedAt ?? 0)} by ${endedBy.name}`]
  // Nobody ended it and it hadn't expired, so it is a pattern for commands.
  const isUnused = endedAt !== undefined && (until === undefined || endedAt < until)
  return [isUnused ? 'no longer used: commands have no patterns' : 'expired']
}

async function revoke(store: Store, found: Grant[], id: string): Promise<number> {
  const prefix = `grant_${id.replace(/^grant_/, '')}`
  const [grant, another] = found.filter((one) => one.id === prefix || (isInForce(one) && one.id.startsWith(prefix)))
  if (grant === undefined)
    throw new Failure('not_found', cliWords.noGrant({ id: JSON.stringify(id) }), '`bobbin grants` lists them.')
  if (another !== undefined)
    throw new Failure('not_found', cliWords.ambiguousGrant({ id: JSON.stringify(id) }), cliWords.ambiguousGrantRemedy())
  const isEnded = await store.transaction(async (tx) => {
    await refuseMoved(tx.db)
    return revokeGrant(tx, grant.id, operator)
  })
  if (!isEnded) throw new Failure('not_found', `${grant.id} had already ended.`, '`bobbin grants --all` shows when.')
  process.stdout.write(printable(`${grant.id} has ended: ${grant.tool} needs approval again.`).concat('\n'))
  return 0
}

/** Names and patterns may contain terminal control characters. */
const printable = (text: string): string => text.replace(/\p{C}/gu, '\ufffd')
