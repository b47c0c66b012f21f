// Runs after an install. Plain JavaScript that old Node versions read too. In production, two fifths of what npm installs is never
// read: source maps, type declarations, builds for browsers, sources in C and TypeScript, binaries for other systems, headers of Node.
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isUnread } from './unread.js'

const neededNode = 24

const own = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')
const isProduction = /\bdev\b/.test(process.env.npm_config_omit || '') || process.env.NODE_ENV === 'production'
const folder = packagesOnlyForUs()
if (folder !== undefined) {
  if (hasNode(folder))
    for (const path of ['node', '.bin/node']) rmSync(join(folder, path), { recursive: true, force: true })
  if (isProduction || process.env.npm_config_global === 'true') removeUnread(folder, '')
}

/** Beside other programs, their packages aren't ours to change. */
function packagesOnlyForUs() {
  const nested = join(own, 'node_modules')
  if (existsSync(join(nested, 'pino'))) return nested
  const beside = dirname(own)
  if (basename(beside) !== 'node_modules') return undefined
  const manifest = join(beside, '../package.json')
  // npm writes it when everything is installed.
  const { dependencies = {} } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {}
  return Object.keys(dependencies).every((name) => name === 'bobbin') ? beside : undefined
}

/**
 * Whether a Node that is new enough is on the machine: npm runs on it. This script may already run on the one that was just
 * brought, because npm puts the programs of packages first.
 */
function hasNode(packages) {
  const [, version] = /\bnode\/v(\d+)/.exec(process.env.npm_config_user_agent || '') || []
  const npmRunsOn = process.env.npm_node_execpath || process.execPath
  return Number(version) >= neededNode && !npmRunsOn.startsWith(join(packages, '/'))
}

/** `below` is the path from the nearest node_modules. */
function removeUnread(directory, below) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    // Bobbin's own skills are documents.
    if (path === own) continue
    if (entry.isDirectory()) {
      removeUnread(path, entry.name === 'node_modules' && below !== 'node/' ? '' : `${below}${entry.name}/`)
      if (readdirSync(path).length === 0) rmdirSync(path)
    } else if (entry.isFile() && isUnread(below + entry.name)) rmSync(path)
  }
}
