import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openServer } from '../../src/capabilities/mcp/open.ts'
import type { McpHost } from '../../src/capabilities/mcp/port.ts'
import { Marks } from '../../src/capabilities/mcp/process/marks.ts'
import { mcpSection } from '../../src/capabilities/mcp/settings.ts'
import { settingsIn } from '../../src/config/section.ts'
import type { Sandbox } from '../../src/kit/sandbox/port.ts'
import { asSomebody } from '../support/as-somebody.ts'
import { box, shippedMcp } from './support.ts'

/** Makes a folder that nobody may enter, with something in it. */
const locks = `
const { chmodSync, mkdirSync } = require('node:fs')
mkdirSync(process.env.HOME + '/cache/deep', { recursive: true })
chmodSync(process.env.HOME + '/cache', 0)
process.exit(3)`

test('the folder of a thread’s server goes with it, although the server has locked a part of it', () =>
  asSomebody(async (dataDir) => {
    const x = { command: process.execPath, args: ['-e', locks], scope: 'session' }
    const sections = { mcp_servers: { servers: { x }, limits: shippedMcp, sandbox: box } }
    const settings = settingsIn({ sections }, mcpSection)
    const server = settings.servers.get('x')
    if (server === undefined) throw new Error('there is no server')
    const config = { dataDir, configDir: dataDir, variables: {}, searchPath: process.env.PATH ?? '' }
    const marks = new Marks(dataDir)
    const sandbox = {} as Sandbox
    const deps = { config, settings, sandbox, marks, mask: String, learn() {} }
    const wanted = { name: 'x', server, scope: 'ses_a' }
    const signal = new AbortController().signal
    await expect(openServer(wanted, {} as McpHost, { signal, deps })).rejects.toThrow('it ended with code 3')
    const [own = ''] = readdirSync(join(dataDir, 'mcp/threads'))
    expect(readdirSync(join(dataDir, 'mcp/threads', own, 'ses_a'))).toEqual([])
  }))

test('what a bot that was killed left of such folders is removed, too', () =>
  asSomebody(async (dataDir) => {
    const marks = new Marks(dataDir)
    await marks.next()
    const folder = marks.folderFor('ses_a', 'x')
    await mkdir(join(folder, 'cache/deep'), { recursive: true })
    await chmod(join(folder, 'cache'), 0)
    await marks.clear()
    expect(existsSync(folder)).toBe(false)
    expect(readdirSync(join(dataDir, 'mcp/running'))).toEqual([])
  }))
