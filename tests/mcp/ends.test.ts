import { expect, test } from 'vitest'
import { Connection } from '../../src/capabilities/mcp/connection.ts'
import type { ListedTool } from '../../src/capabilities/mcp/port.ts'
import { until } from '../support/until.ts'

interface Slow {
  learned?(tools: ListedTool[]): Promise<void>
  /** What comes of asking whether it is still there. `gone`: once it has ended. */
  ping?(gone: Promise<void>): Promise<void>
}

/** A connection to a server that takes its time to end. */
function slow({ learned = async () => {}, ping = async () => {} }: Slow = {}) {
  const gone = Promise.withResolvers<void>()
  const at = { now: 0, started: 0, pinged: 0, stopped: 0, lose: () => {} }
  const connection = new Connection({
    name: 'x',
    now: () => at.now,
    startMs: 30_000,
    learned,
    report: () => {},
    mask: (text) => text,
    async open(_, lost) {
      at.started++
      at.lose = lost
      const client = {
        ...{ about: '', listTools: async () => [], call: () => Promise.reject(new Error('not called')) },
        ping: () => {
          at.pinged++
          return ping(gone.promise)
        },
        close: async () => {},
      }
      const stop = () => {
        at.stopped++
        return gone.promise
      }
      return { client, tools: [], calls: new Set(), ended: gone.promise.then(() => 'it ended'), stop }
    },
  })
  return { at, connection, end: () => gone.resolve() }
}

test('a stop waits for the server whose connection was lost before', async () => {
  const { at, connection, end } = slow()
  await connection.use(async () => {})
  at.lose()
  expect(at.stopped).toBe(1)
  let isOver = false
  const stopping = connection.stop().then(() => {
    isOver = true
  })
  await new Promise(setImmediate)
  expect(isOver).toBe(false)
  end()
  await stopping
  expect(at.stopped).toBe(1)
})

test('a server whose tools can’t be kept is ended', async () => {
  const { at, connection, end } = slow({ learned: () => Promise.reject(new Error('the disk is full')) })
  end()
  await expect(connection.use(async () => {})).rejects.toThrow('the disk is full')
  expect(at.stopped).toBe(1)
})

test.each<[when: string, ping: Slow['ping']]>([
  ['asked whether it is still there', (gone) => gone.then(() => Promise.reject(new Error('closed')))],
  ['replaced because it hangs', () => Promise.reject(new Error('no answer'))],
])('a server that is stopped while it is %s isn’t started again', async (_, ping) => {
  const { at, connection, end } = slow({ ping })
  await connection.use(async () => {})
  at.now = 40_000
  const used = connection.use(async () => {}).catch((thrown: Error) => thrown)
  await until('the question', () => at.pinged === 1)
  const stopping = connection.stop()
  end()
  await stopping
  const failure = { code: 'mcp_unreachable', message: 'The MCP server x can’t be used: it was stopped' }
  expect(await used).toMatchObject(failure)
  // Nor for those who got hold of it before the stop and come only now.
  await expect(connection.use(async () => {})).rejects.toMatchObject(failure)
  expect(at).toMatchObject({ started: 1, stopped: 1 })
})
