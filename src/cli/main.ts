import { existsSync } from 'node:fs'
import { complaintText } from '../config/config.ts'
import { Failure } from '../kit/failure.ts'
import { asUnavailable } from '../kit/unavailable.ts'
import { ConfigFaults } from './load.ts'
import { UsageFault } from './usage.ts'

const help = `Usage: bobbin <command>

  start            runs the bot and its web console
  doctor           says what works and what does not, and how to mend it;
                   with --probe <channel id> it posts a message there and deletes it
  migrate          brings the database to this version's schema, before the bots start
  config check     says what is wrong with the configuration, and where
  config schemas   writes the JSON schemas that editors use for config/
  nodes            lists the bots that run on the database, and what each of them runs
  nodes drain <name> [--wait]
                   tells one to take nothing new and to leave its work to the others; it
                   works again once it is started again
  sessions         lists the latest sessions
  why [message]    says why a message was not answered, by its id or link; or why the
                   latest ones were not
  policy explain '<tool>' '<arguments as JSON>'
                   says which rule decides about a call, who would be asked, and what was
                   seen of it; with --untrusted: after untrusted content came in
  policy explain --stdin
                   the same for programs: reads {"tool": …, "input": …}, one a line, and
                   answers each line, also a bad or empty one, with one line of JSON:
                   {"kind": "allow" | "ask" | "deny", "rule", "reason", "risk", …} or
                   {"kind": "error", "message", "remedy"}
  grants           lists what was always allowed; with --all also what has ended
  grants revoke <id>
                   ends one
  compositions     lists the chains of tools in config/compositions.yaml, and how they went
  mcp list         lists the MCP servers of config/mcp_servers.yaml
  mcp test <server>
                   starts one, says hello and stops it; mcp tools <server> also lists its
                   tools and what models call them
  mcp login <server>
                   logs in to one that wants it, with a browser; mcp logout <server>
                   deletes the login
  audit verify     says whether the audit log is whole; with --head <number>:<hash>,
                   also whether it still has the end that was noted
  audit export     prints the audit log; with --format jsonl or csv, --after <number>,
                   --kind <kind>
  move --to <database>
                   takes a stopped bot along to a PostgreSQL database (postgres://…), or
                   back to SQLite in the data directory (sqlite); move --undo lets the one
                   that was moved start again, as it was then
  skills list      lists the skills on this machine: those that come with Bobbin, and yours
  skills validate <dir> [--json]
                   says what of a skill breaks the specification of agentskills.io
  skills install <zip or dir>
                   puts a skill among yours, in the config directory; skills remove <name>
                   takes it away
  help             shows this

Settings: config/*.yaml and the environment (.env is read); see .env.example.`

type Command = (args: string[]) => Promise<number> | number

/** Loaded when needed, because most commands need only a fraction of the bot. */
const commands = new Map<string, () => Promise<Command>>([
  ['start', async () => (await import('./start.ts')).startCommand],
  ['doctor', async () => (await import('./doctor.ts')).doctorCommand],
  ['migrate', async () => (await import('./migrate.ts')).migrateCommand],
  ['config', async () => (await import('./config.ts')).configCommand],
  ['nodes', async () => (await import('./nodes.ts')).nodesCommand],
  ['sessions', async () => (await import('./sessions.ts')).sessionsCommand],
  ['why', async () => (await import('./why.ts')).whyCommand],
  ['policy', async () => (await import('./policy.ts')).policyCommand],
  ['grants', async () => (await import('./grants.ts')).grantsCommand],
  ['compositions', async () => (await import('./of-capability.ts')).commandOf('compositions')],
  ['mcp', async () => (await import('./of-capability.ts')).commandOf('mcp')],
  ['audit', async () => (await import('./audit.ts')).auditCommand],
  ['skills', async () => (await import('./of-capability.ts')).commandOf('skills')],
  ['move', async () => (await import('./move.ts')).moveCommand],
])

/** Runs a command line and returns the exit code. */
export async function main(args: string[]): Promise<number> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  // The reader may stop reading: `bobbin sessions | head`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const [command = 'help', ...rest] = args
  try {
    const load = commands.get(command)
    if (load !== undefined) return await (await load())(rest)
    const asked = ['help', '--help', '-h'].includes(command)
    if (!asked) process.stderr.write(`There is no command ${JSON.stringify(command)}.\n\n`)
    process.stdout.write(`${help}\n`)
    return asked ? 0 : 2
  } catch (thrown) {
    if (thrown instanceof ConfigFaults) {
      for (const complaint of thrown.complaints) process.stderr.write(`${complaintText(complaint)}\n`)
      return 1
    }
    if (thrown instanceof UsageFault) {
      process.stderr.write(`${thrown.message} ${thrown.usage}\n`)
      return 2
    }
    const known = thrown instanceof Failure ? thrown : (asUnavailable(thrown) ?? asDamaged(thrown))
    if (known === undefined) throw thrown
    const remedy = known instanceof Failure ? known.remedy : known.remedyAfterwards
    process.stderr.write(`${known.message.replace(/[^.!?]$/, '$&.')} ${remedy}\n`)
    return 1
  }
}

/** A table or column is missing: somebody changed the database by hand, or only part of it is there. */
function asDamaged(thrown: unknown): Failure | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown) || !/^SQLITE_/.test(String(thrown.code))) return undefined
  const remedy = 'Stop Bobbin and restore bobbin.db from a backup (together with bobbin.db-wal, if there is one).'
  return new Failure('database_damaged', `Bobbin's database is damaged: ${thrown.message}.`, remedy, {
    cause: thrown,
  })
}
