import { complaintText } from '../config/config.ts'
import { Failure, reasonOf, sentencesOf } from '../kit/failure.ts'
import { keepPrivate } from '../kit/umask.ts'
import { asUnavailable } from '../kit/unavailable.ts'
import { version } from '../wiring/version.ts'
import { commands } from './commands.ts'
import { ConfigFaults } from './config-faults.ts'
import { enterHome } from './home.ts'
import { requireAnswer } from './require-answer.ts'
import { meantIn, nearestWord, UsageFault } from './usage.ts'
import { writeWholeOutput } from './whole-output.ts'
import { cliWords } from './words.ts'

const head = 'Usage: bobbin <command>\n'
const foot = `
  help [command]   shows this, or the help of one command
  --version        says which version this is

Settings: config/*.yaml and the environment (.env is read); see .env.example.
Bobbin looks for its home in this folder and those above; BOBBIN_HOME names another.`

/** `session` means `sessions`, and `node` means `nodes`. */
const named = (name: string): string | undefined => [name, `${name}s`].find((one) => Object.hasOwn(commands, one))

const isHelp = (word: string): boolean => ['--help', '-h'].includes(word)

/** Runs a command line and returns the exit code. */
export async function main(args: string[]): Promise<number> {
  process.stdout.on('error', outputFailed)
  writeWholeOutput()
  const [first = 'help', ...rest] = args
  const [command = '', asksHelp] = first === 'help' || isHelp(first) ? [rest[0], true] : [first, rest.some(isHelp)]
  if (['--version', '-v', 'version'].includes(command))
    return shown(cliWords.bobbinNode({ version, node: process.versions.node }))
  const name = named(command)
  const entry = name === undefined ? undefined : commands[name]
  if (asksHelp && (entry !== undefined || command === '')) return shown(entry?.help ?? wholeHelp())
  let reopen = () => {}
  try {
    if (entry !== undefined) {
      const home = enterHome({ environment: process.env, workingDir: process.cwd() })
      if (entry.needsData !== false) await requireAnswer(home.dataDir)
      if (entry.fillsData) reopen = keepPrivate(home.dataDir)
      return await (await entry.load())(rest, home)
    }
    const nearest = nearestWord(command, Object.keys(commands))
    const remedy = nearest === undefined ? '`bobbin help` lists them.' : cliWords.misspeltRemedy({ nearest })
    process.stderr.write(`${cliWords.noCommand({ command: JSON.stringify(command), remedy })}\n`)
    return 2
  } catch (thrown) {
    if (thrown instanceof ConfigFaults) {
      for (const complaint of thrown.complaints) process.stderr.write(`${complaintText(complaint)}\n`)
      return 1
    }
    if (thrown instanceof UsageFault) {
      const nearest = meantIn(thrown.usage, name ?? '', rest)
      const meant = nearest === undefined ? '' : ` ${cliWords.misspeltRemedy({ nearest })}`
      process.stderr.write(`${thrown.message}${meant} ${thrown.usage}\n`)
      return 2
    }
    const said = saidOf(thrown)
    if (said === undefined) throw thrown
    process.stderr.write(`${sentencesOf(said)}\n`)
    return 1
  } finally {
    reopen()
  }
}

/** What to say about it, if it is more than a bug. */
function saidOf(thrown: unknown): { message: string; remedy: string } | undefined {
  if (thrown instanceof Failure) return thrown
  const { BOBBIN_DATA_DIR: dataDir = '', BOBBIN_CONFIG_DIR: configDir = '' } = process.env
  const fault = asUnavailable(thrown)
  const isOfData = dataDir.startsWith(`${configDir}/`) && isUnusable(thrown, dataDir)
  if (isUnusable(thrown, configDir) && !isOfData) return aboutConfigDir(thrown, configDir)
  if (fault === undefined) return isUnusable(thrown, dataDir) ? aboutDataDir(thrown, dataDir) : asDamaged(thrown)
  const isElsewhere = fault.isOfServer || fault.code === 'too_many_files'
  const message = isElsewhere ? fault.message : cliWords.aboutDataDir({ message: fault.message, dataDir })
  return { message, remedy: fault.remedyAfterwards }
}

const ofFolders = ['EACCES', 'EPERM', 'ENOTDIR', 'EEXIST', 'EROFS']

/** Something in the folder belongs to another user, or is a file in place of a folder. */
function isUnusable(thrown: unknown, folder: string): boolean {
  const { code = '', path = '' } = thrown instanceof Error ? (thrown as NodeJS.ErrnoException) : {}
  return ofFolders.includes(code) && `${path}/`.startsWith(`${folder}/`)
}

const aboutDataDir = (thrown: unknown, dataDir: string) => ({
  message: cliWords.dataDirUnusable({ dataDir, reason: reasonOf(thrown) }),
  remedy: cliWords.dataDirUnusableRemedy(),
})

const aboutConfigDir = (thrown: unknown, configDir: string) => ({
  message: cliWords.configDirUnusable({ configDir, reason: reasonOf(thrown) }),
  remedy: cliWords.configDirUnusableRemedy(),
})

/** Ends the process. The reader may stop reading: `bobbin sessions | head`. */
function outputFailed(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`${cliWords.outputIncomplete({ reason: reasonOf(error) })}\n`)
  process.exit(1)
}

function shown(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}

const wholeHelp = (): string => [head, ...Object.values(commands).map(({ help }) => help)].join('\n') + foot

/** A table or column is missing: somebody changed the database by hand, or only part of it is there. */
function asDamaged(thrown: unknown): Failure | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown) || !/^SQLITE_/.test(String(thrown.code))) return undefined
  const remedy = cliWords.databaseDamagedRemedy()
  return new Failure('database_damaged', cliWords.databaseDamaged({ message: thrown.message }), remedy, {
    cause: thrown,
  })
}
