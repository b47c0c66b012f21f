import { readFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { z } from 'zod'
import { broken, type Finding, fine, mind } from '../domain/finding.ts'
import { atOnceWithin, descriptorLimit } from '../kit/descriptors.ts'
import { doctorWords } from './words.ts'

const manifestFile = new URL('../../package.json', import.meta.url)
const manifest = z.object({
  version: z.string(),
  dependencies: z.record(z.string(), z.string()),
})
const installed = z.object({ version: z.string() })

/** The packages people name in bug reports. */
const told = ['@slack/bolt', 'discord.js', 'openai', 'better-sqlite3']
const neededNode = 24

/** Checks Node, and whether the packages are the ones this version was built with. */
export async function* machineFindings(): AsyncGenerator<Finding> {
  const { version, dependencies } = manifest.parse(JSON.parse(await readFile(manifestFile, 'utf8')))
  const node = doctorWords.nodeOn({ node: process.versions.node, platform: process.platform, arch: process.arch })
  const isNewEnough = Number(process.versions.node.split('.')[0]) >= neededNode
  yield isNewEnough
    ? fine(doctorWords.bobbinRuns({ version, node }))
    : broken(doctorWords.nodeTooOld({ neededNode, node }), doctorWords.nodeTooOldRemedy())

  yield* descriptorFinding(descriptorLimit())

  const versions = new Map<string, string | undefined>()
  for (const name of Object.keys(dependencies)) versions.set(name, await installedVersion(name))
  const faults = packageFaults(dependencies, versions, isNewEnough)
  yield faults.length === 0
    ? fine(doctorWords.packagesFine({ packages: told.map((name) => `${name} ${versions.get(name)}`).join(', ') }))
    : broken(doctorWords.packagesUnfit({ faults: faults.join('; ') }), doctorWords.packagesUnfitRemedy())
}

/** Where Node is new enough, an install doesn't keep the one that it brought (scripts/slim.js). */
export function packageFaults(
  wanted: Record<string, string>,
  versions: ReadonlyMap<string, string | undefined>,
  isNewEnough: boolean,
): string[] {
  return Object.entries(wanted).flatMap(([name, range]) => {
    const found = versions.get(name)
    if (found === undefined) return name === 'node' && isNewEnough ? [] : [`${name} is missing`]
    return fits(found, range) ? [] : [`${name} is ${found}, but ${range} is needed`]
  })
}

const enoughDescriptors = 1024

function* descriptorFinding(limit: number | undefined): Generator<Finding> {
  if (limit === undefined || limit >= enoughDescriptors) return
  const { turns } = atOnceWithin(Number.MAX_SAFE_INTEGER, limit)
  const fact = doctorWords.fewDescriptors({ limit, turns })
  yield mind(fact, doctorWords.fewDescriptorsRemedy())
}

async function installedVersion(name: string): Promise<string | undefined> {
  try {
    const path = findPackageJSON(name, import.meta.url)
    return path === undefined ? undefined : installed.parse(JSON.parse(await readFile(path, 'utf8'))).version
  } catch (thrown) {
    if (['ENOENT', 'ERR_MODULE_NOT_FOUND'].includes((thrown as NodeJS.ErrnoException).code ?? '')) return undefined
    throw thrown
  }
}

/** Whether a version is within a caret range, or equal to a fixed one. */
export function fits(version: string, wanted: string): boolean {
  const [have, need] = [version, wanted.replace(/^\^/, '')].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number))
  if (have === undefined || need === undefined) return false
  if (!wanted.startsWith('^')) return version === wanted
  const fixed = need.findIndex((part) => part !== 0)
  const same = need.slice(0, fixed + 1).every((part, place) => have[place] === part)
  const [major = 0, minor = 0, patch = 0] = have
  const [leastMajor = 0, leastMinor = 0, leastPatch = 0] = need
  return same && (major - leastMajor || minor - leastMinor || patch - leastPatch) >= 0
}
