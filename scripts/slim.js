// Runs after an install. Plain JavaScript that old Node versions read too. In production, two fifths of what npm installs is never
// read: source maps, type declarations, builds for browsers, sources in C and TypeScript, binaries for other systems, headers of Node.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const neededNode = 24
const unread = /\.(map|d\.[cm]?ts|[cm]?ts|md|markdown|c|cc|cpp|h|hpp|gyp|flow|iife\.js)$/i
const kept = /^(licen[cs]e|notice|copying)/i

const own = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')
const isProduction = /\bdev\b/.test(process.env.npm_config_omit || '') || process.env.NODE_ENV === 'production'
const folder = packagesOnlyForUs()
if (folder !== undefined && (isProduction || process.env.npm_config_global === 'true')) slim(folder)

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

function slim(packages) {
  removeUnread(packages)
  const platform = `${process.platform}-${process.arch}.node`
  removeAll(join(packages, 'better-sqlite3/prebuilds'), (name) => name !== platform && !name.includes('musl'))
  // Only its build of modules is loaded, and its codepages.
  removeAll(join(packages, '@e965/xlsx'), (name) => /^(bin|types|xlsx\.js)$/.test(name))
  removeAll(join(packages, '@e965/xlsx/dist'), (name) => name !== 'cpexcel.full.mjs' && !kept.test(name))
  removeAll(join(packages, 'better-sqlite3'), (name) => name === 'deps' || name === 'src')
  if (hasNode(packages)) {
    for (const path of ['node', '.bin/node']) rmSync(join(packages, path), { recursive: true, force: true })
  } else
    removeAll(
      join(packages, 'node/node_modules', `node-${process.platform}-${process.arch}`),
      (name) => name !== 'bin' && name !== 'package.json' && !kept.test(name),
    )
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

function removeAll(directory, isUseless) {
  if (!existsSync(directory)) return
  for (const name of readdirSync(directory))
    if (isUseless(name)) rmSync(join(directory, name), { recursive: true, force: true })
}

function removeUnread(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    // Bobbin's own skills are documents.
    if (path === own) continue
    if (entry.isDirectory()) removeUnread(path)
    else if (entry.isFile() && unread.test(entry.name) && !kept.test(entry.name)) rmSync(path)
  }
}
