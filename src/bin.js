#!/usr/bin/env node
// Plain JavaScript that old Node versions read too. Bobbin needs Node 24, which runs TypeScript as it is; the package
// brings one, and an older Node starts this again with it.
import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

const needed = 24
/** Node strips no types from what is installed, so packages bring the program as JavaScript (scripts/build.ts). */
const isInstalled = import.meta.url.includes('/node_modules/')
const installedMain = new URL('../dist/cli/main.js', import.meta.url).href

if (Number(process.versions.node.split('.')[0]) >= needed) {
  endWithParent()
  // While modules load, the space for new objects would double again and again, and never shrink: some 40 MB for
  // nothing. It may grow later (kit/young-space.ts).
  setFlagsFromString('--semi-space-growth-factor=1')
  // Compiled code is kept, so that every start but the first is much quicker.
  const cache = cacheFolder()
  if (cache !== undefined) nodeModule.enableCompileCache(cache)
  resolveQuickly()
  const { main } = await (isInstalled ? import(installedMain) : import('./cli/main.ts'))
  const code = await main(process.argv.slice(2))
  // What failed to start may leave something open.
  if (code === 0) process.exitCode = 0
  else process.exit(code)
} else {
  startAgain()
}

/** Beside the program, or at home if that isn't ours, as in the image. Never where others could write too. */
function cacheFolder() {
  const beside = () => fileURLToPath(new URL('../node_modules/.cache/bobbin', import.meta.url))
  const atHome = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'bobbin')
  return (isInstalled ? undefined : writable(beside)) ?? writable(atHome)
}

/** Makes a folder, unless it is there. Undefined if nothing can be written there. */
function writable(place) {
  try {
    const folder = place()
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
    return folder
  } catch {
    return undefined
  }
}

/**
 * A relative path says already which file it means. Node looks for links and a package.json on the way to each of a
 * thousand modules, a seventh of the time until the bot is ready.
 */
function resolveQuickly() {
  nodeModule.registerHooks?.({
    resolve(specifier, context, next) {
      const isKnown =
        specifier.startsWith('.') &&
        /\.[jt]s$/.test(specifier) &&
        context.parentURL?.startsWith('file:') &&
        context.conditions.includes('import')
      if (!isKnown) return next(specifier, context)
      const format = specifier.endsWith('.ts') ? 'module-typescript' : undefined
      return { url: new URL(specifier, context.parentURL).href, format, shortCircuit: true }
    },
  })
}

/**
 * The process that was started, and not this one, is whom people kill: a kill that it cannot pass on counts for both.
 */
function endWithParent() {
  if (process.env.BOBBIN_STARTED_AGAIN === undefined || process.channel === undefined) return
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.channel.unref()
}

function startAgain() {
  const node = broughtNode()
  if (node === undefined) {
    console.error(
      `Bobbin needs Node ${needed}, and this is ${process.version}. Install Node ${needed}, or install Bobbin again, which brings it: in a clone with npm ci, otherwise with npm install --global ./bobbin-….tgz (npm 12 also needs --allow-scripts=node).`,
    )
    process.exitCode = 1
    return
  }
  const env = { ...process.env, BOBBIN_STARTED_AGAIN: '1' }
  const child = spawn(node, process.argv.slice(1), { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env })
  // A terminal sends Ctrl-C to both of us: passing it on would be a second one, which means "at once".
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (signal) process.removeAllListeners(signal)
    if (signal) process.kill(process.pid, signal)
    else process.exitCode = code ?? 1
  })
}

function broughtNode() {
  try {
    const path = join(dirname(nodeModule.createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node')
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}
