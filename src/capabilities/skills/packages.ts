import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { Failure } from '../../kit/failure.ts'
import { orNothing } from '../../kit/files/below.ts'
import { removeTree } from '../../kit/files/remove-tree.ts'
import type { Sandbox, SandboxLimits, SandboxResult } from '../../kit/sandbox/port.ts'
import type { SkillFiles } from '../../kit/skills/contents.ts'
import { count } from '../../workspace/count.ts'
import type { SkillsSettings } from './settings.ts'
import type { Skill } from './skill.ts'
import { skillsWords } from './words.ts'

/** Files in which a skill names the packages that it needs. */
export const packageFiles = ['requirements.txt', 'package.json'] as const
export type PackageFile = (typeof packageFiles)[number]

/**
 * Both run in the folder of the skill, in the sandbox. What npm packages would run when they are installed isn't run.
 */
const commands: Record<PackageFile, string[]> = {
  'requirements.txt': [
    ...['python3', '-m', 'pip', 'install', '--no-input', '--disable-pip-version-check', '--no-cache-dir'],
    ...['--target', '/workspace/installed', '-r', 'requirements.txt'],
  ],
  'package.json': ['npm', 'install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'],
}
/** All that the installer sees. The marker is beside it, where no package's build can put a link in its place. */
const box = 'box'
const marker = 'done'
/** What the names of folders begin with whose packages are being installed. */
const begun = '.new-'
const installedIn: Record<PackageFile, readonly string[]> = {
  'requirements.txt': [box, 'installed'],
  'package.json': [box, 'skill', 'node_modules'],
}

/** Where scripts of a skill find packages, outside of any workspace. */
export interface SkillPackages {
  /** For Node. */
  packages?: string
  /** For Python. */
  libraries?: string
  /** Files whose packages nobody has installed. */
  missing: PackageFile[]
}

/** A file and its content, as it was approved. */
export interface WantedPackages {
  file: PackageFile
  bytes: Uint8Array
}

export interface PackagesDeps {
  dataDir: string
  sandbox: Sandbox
  limits: SandboxLimits
  settings: SkillsSettings['packages']
}

/** One for each content of a skill, so that all threads share it, and another version gets its own. */
const folderOf = async (dataDir: string, skill: Skill, file: PackageFile): Promise<string> =>
  join(
    dataDir,
    'skills',
    'packages',
    createHash('sha256')
      .update(`${await skill.mark()} ${file}`)
      .digest('hex'),
  )

/** What is there for a skill. Those that come with Bobbin need nothing besides what it brings along. */
export async function packagesOf(skill: Skill, dataDir: string): Promise<SkillPackages> {
  if (skill.source === 'bobbin') return { missing: [] }
  const files = await skill.files()
  const found: SkillPackages = { missing: [] }
  for (const file of packageFiles) {
    if (!files.has(file)) continue
    const folder = await folderOf(dataDir, skill, file)
    if (!(await isInstalled(folder, file))) found.missing.push(file)
    else if (file === 'package.json') found.packages = join(folder, ...installedIn[file])
    else found.libraries = join(folder, ...installedIn[file])
  }
  return found
}

/** Installs what a file of a skill names, which a person has approved, and returns what to tell the model. */
export async function installPackages(
  skill: Skill,
  { file, bytes }: WantedPackages,
  deps: PackagesDeps & { signal: AbortSignal; output(text: string): void },
): Promise<string> {
  const files = await skill.files()
  if (!Buffer.from(files.get(file) ?? '').equals(bytes))
    throw new Failure('no_packages', `${file} of ${skill.name} has just changed.`, skillsWords.skillChangedRemedy())
  const folder = await folderOf(deps.dataDir, skill, file)
  if (await isInstalled(folder, file)) return skillsWords.alreadyInstalled()
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
  await removeLeftOver(dirname(folder), deps.settings)
  const temporary = await mkdtemp(join(dirname(folder), begun))
  try {
    const workspace = join(temporary, box)
    await mkdir(workspace)
    await place(files, join(workspace, 'skill'))
    await runInstaller(file, workspace, deps)
    const installed = await madeFolder(temporary, installedIn[file])
    const { bytes: bytesUsed } = await count([installed])
    if (bytesUsed > deps.settings.bytes)
      throw new Failure('no_packages', skillsWords.packagesTooLarge({ bytesUsed, bytes: deps.settings.bytes }), '')
    // The installer may have left anything else in its box.
    const kept = join(temporary, 'kept')
    const packages = join(kept, ...installedIn[file])
    await mkdir(dirname(packages), { recursive: true })
    await rename(installed, packages)
    await writeFile(join(kept, marker), '', { flag: 'wx' })
    if (!(await putInPlace(kept, folder, file))) return skillsWords.alreadyInstalled()
  } finally {
    await removeTree(temporary)
  }
  return skillsWords.packagesInstalled({ file, name: skill.name })
}

/** What processes that were killed have left. */
async function removeLeftOver(folder: string, { timeoutMs }: SkillsSettings['packages']): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(begun)) continue
    const path = join(folder, name)
    const { mtimeMs = Date.now() } = (await orNothing(() => stat(path))) ?? {}
    if (mtimeMs < Date.now() - 2 * timeoutMs) await orNothing(() => removeTree(path))
  }
}

/** False if another thread has installed the same meanwhile: its scripts may be using that. */
async function putInPlace(kept: string, folder: string, file: PackageFile): Promise<boolean> {
  const move = () => rename(kept, folder)
  try {
    await move()
  } catch {
    if (await isInstalled(folder, file)) return false
    await removeTree(folder)
    await move()
  }
  return true
}

/** Whatever is mounted is found on the host's side first, so a link could mount any folder of the host. */
async function isInstalled(folder: string, file: PackageFile): Promise<boolean> {
  if (!existsSync(join(folder, marker))) return false
  for (const path of pathsTo(folder, installedIn[file])) if ((await kindOf(path)) !== 'folder') return false
  return true
}

/** Makes what is missing of a path, and refuses one that leads elsewhere. */
async function madeFolder(folder: string, names: readonly string[]): Promise<string> {
  for (const path of pathsTo(folder, names)) {
    const kind = await kindOf(path)
    if (kind === 'nothing') await mkdir(path)
    else if (kind !== 'folder')
      throw new Failure(
        'no_packages',
        skillsWords.packagesLeftOutside({ path: relative(join(folder, box), path) }),
        skillsWords.withoutPackagesRemedy(),
      )
  }
  return join(folder, ...names)
}

const pathsTo = (folder: string, names: readonly string[]): string[] =>
  names.map((_, place) => join(folder, ...names.slice(0, place + 1)))

async function kindOf(path: string): Promise<'folder' | 'nothing' | 'other'> {
  const found = await lstat(path).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return undefined
    throw thrown
  })
  if (found === undefined) return 'nothing'
  return found.isDirectory() ? 'folder' : 'other'
}

async function place(files: SkillFiles, folder: string): Promise<void> {
  await mkdir(folder)
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

async function runInstaller(
  file: PackageFile,
  workspace: string,
  { sandbox, limits, settings, signal, output }: Parameters<typeof installPackages>[2],
): Promise<void> {
  const { kind } = await sandbox.facts()
  if (kind === 'none')
    throw new Failure('no_sandbox', skillsWords.packagesNeedSandbox(), skillsWords.packagesNeedSandboxRemedy())
  const { by, exitCode, stdout, stderr } = await sandbox.run({
    argv: commands[file],
    workspace,
    pinned: [],
    directory: 'skill',
    environment: { PIP_INDEX_URL: settings.pipIndex, npm_config_registry: settings.npmRegistry },
    hosts: settings.hosts,
    limits: { ...limits, timeoutMs: settings.timeoutMs },
    output: (_, text) => output(text),
    signal,
  })
  signal.throwIfAborted()
  if (by === 'itself' && exitCode === 0) return
  const said = `${stdout}\n${stderr}`.trim().slice(-2_000)
  const how = howItEnded(by, exitCode, settings)
  throw new Failure('no_packages', skillsWords.packagesNotInstalled({ how, said }), skillsWords.withoutPackagesRemedy())
}

function howItEnded(
  by: SandboxResult['by'],
  exitCode: number | undefined,
  { timeoutMs }: SkillsSettings['packages'],
): string {
  if (by === 'timeout') return skillsWords.installTimedOut({ timeoutMs })
  return by === 'disk' ? skillsWords.installFilledDisk() : `Exit code ${exitCode ?? 'none'}.`
}
