import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { databasePlace } from '../config/config.ts'
import type { Environment } from '../config/environment.ts'
import { shippedConfigDir } from '../config/shipped.ts'
import { Failure, reasonOf } from '../kit/failure.ts'
import { isThere } from '../kit/files/is-there.ts'
import { decode } from '../kit/text/plain-text.ts'
import { makePrivate } from '../store/make-private.ts'
import { cliWords } from './words.ts'

/** Where this command finds its `.env`, its configuration and its data. */
export interface Home {
  dir: string
  /** Why it is this folder, for people. */
  why: string
  /** Missing if there is none. */
  envFile: string | undefined
  configDir: string
  dataDir: string
  /** Whether the environment or `.env` names it or its data, instead of where one happens to be. */
  isNamed: boolean
}

interface Folders {
  dir: string
  why: string
  /** Where they are unless the environment says otherwise. */
  config: string
  data: string
}

interface Around {
  environment: Environment
  workingDir: string
  /** The folder of the program itself. */
  program?: string
}

const root = dirname(shippedConfigDir)
const isOurs = /^(?:export\s+)?(?:BOBBIN_\w+|MODEL_BASE_\w+|SLACK_BOT_TOKEN|DISCORD_TOKEN)\s*=/m

/** Finds the home, and puts what its `.env` says, and where its folders are, into the environment. */
export function enterHome(around: Around): Home {
  const { environment, workingDir, program = root } = around
  const folders = foldersOf({ ...around, program })
  // What was set outside means the folder that one is in; what .env sets, the folder of .env.
  for (const name of ['BOBBIN_DATA_DIR', 'BOBBIN_CONFIG_DIR'])
    if (environment[name]) environment[name] = resolve(workingDir, environment[name])
  const file = join(folders.dir, '.env')
  const envFile = isThere(file) ? file : undefined
  if (envFile !== undefined)
    for (const [name, value] of Object.entries(read(envFile)))
      if (environment[name] === undefined) environment[name] = value
  const inHome = (name: string) => environment[name] && resolve(folders.dir, environment[name])
  const dataDir = inHome('BOBBIN_DATA_DIR') || folders.data
  const configDir = inHome('BOBBIN_CONFIG_DIR') || configOf(folders.config, program)
  const isNamed = !!(environment.BOBBIN_HOME || environment.BOBBIN_DATA_DIR)
  Object.assign(environment, { BOBBIN_DATA_DIR: dataDir, BOBBIN_CONFIG_DIR: configDir })
  return { dir: folders.dir, why: folders.why, envFile, configDir, dataDir, isNamed }
}

function foldersOf({ environment, workingDir, program = root }: Around): Folders {
  const given = environment.BOBBIN_HOME
  if (given) return within(resolve(workingDir, given), 'set by BOBBIN_HOME')
  const project = projectAbove(workingDir)
  if (project !== undefined) return within(project, project === workingDir ? 'this folder' : 'found above this folder')
  if (!isInstalled(program)) return within(program, 'the folder of the program')
  const own = environment.HOME || homedir()
  const config = join(environment.XDG_CONFIG_HOME || join(own, '.config'), 'bobbin')
  const data = join(environment.XDG_DATA_HOME || join(own, '.local/share'), 'bobbin')
  return { dir: config, why: 'no project in this folder or above it', config, data }
}

const within = (dir: string, why: string): Folders => ({
  dir,
  why,
  config: join(dir, 'config'),
  data: join(dir, 'data'),
})

const isInstalled = (program: string): boolean => program.includes('/node_modules/')

/** As git looks for its own: in this folder, and then in those above. */
function projectAbove(workingDir: string): string | undefined {
  for (let dir = workingDir; ; dir = dirname(dir)) {
    if (isProject(dir, dir === workingDir)) return dir
    if (dirname(dir) === dir) return undefined
  }
}

/** `isHere`: the person chose this folder. In those above, a stranger might have planted something (/tmp/.env). */
function isProject(dir: string, isHere: boolean): boolean {
  if (isInstalled(`${dir}/`)) return false
  const marks = ['package.json', '.env', 'config/bobbin.yaml', 'data/bobbin.db']
  return marks.some(
    (mark) => isMark(join(dir, mark), mark) && (isHere || (isTrusted(dir) && isTrusted(join(dir, mark)))),
  )
}

function isMark(file: string, mark: string): boolean {
  if (!existsSync(file)) return false
  try {
    if (mark === '.env') return isOurs.test(textOf(file))
    return mark !== 'package.json' || JSON.parse(readFileSync(file, 'utf8')).name === 'bobbin'
  } catch {
    return false
  }
}

function isTrusted(path: string): boolean {
  const { uid } = lstatSync(path)
  return uid === 0 || uid === process.getuid?.()
}

/** Without the mark that Windows editors put first, which would become part of the first name. */
const textOf = (file: string): string => decode(readFileSync(file)).text

function read(file: string): Environment {
  try {
    return parseEnv(textOf(file))
  } catch (thrown) {
    throw new Failure('bad_env_file', `${file} can’t be read: ${reasonOf(thrown)}.`, cliWords.envFileRemedy(), {
      cause: thrown,
    })
  }
}

/** An installed program's own folder is replaced with each update, so teams get one to change. */
function configOf(config: string, program: string): string {
  if (isThere(config)) return config
  if (!isInstalled(program)) return shippedConfigDir
  try {
    makePrivate(config)
    return config
  } catch {
    return shippedConfigDir
  }
}

/** `Home: /srv/bobbin (set by BOBBIN_HOME)`, and where everything in it is. */
export function homeLines({ dir, why, envFile, configDir, dataDir }: Home, databaseUrl: string | undefined): string[] {
  const isNew = !databaseUrl && !existsSync(databasePlace({ dataDir, databaseUrl }))
  return [
    `Home: ${dir} (${why})`,
    `Settings: ${envFile ?? `no .env in ${dir}`}, ${configDir}`,
    `Data: ${dataDir}${isNew ? ' (new)' : ''}`,
  ]
}
