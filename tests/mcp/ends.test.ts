import { expect, test } from 'vitest'
import { Connection } from '../../src/capabilities/mcp/connection.ts'
import type { ListedTool } from '../../src/capabilities/mcp/port.ts'

/** A connection to a server that takes its time to end. */
function slow(learned: (tools: ListedTool[]) => Promise<void> = async () => {}) {
  const gone = Promise.withResolvers<void>()
  const at = { stopped: 0, lose: () => {} }
  const connection = new Connection({
    name: 'x',
    now: () => 0,
    startMs: 30_000,
    learned,
    report: () => {},
    async open(_, lost) {
      at.lose = lost
      const client = {
        ...{ about: '', listTools: async () => [], call: () => Promise.reject(new Error('not called')) },
        ...{ ping: async () => {}, close: async () => {} },
      }
      const stop = () => {
        at.stopped++
        return gone.promise
      }
      return { client, tools: [], ended: gone.promise.then(() => 'it ended'), stop }
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
  const { at, connection, end } = slow(() => Promise.reject(new Error('the disk is full')))
  end()
  await expect(connection.use(async () => {})).rejects.toThrow('the disk is full')
  expect(at.stopped).toBe(1)
})
