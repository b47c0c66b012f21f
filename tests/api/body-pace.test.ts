import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { readBytes } from '../../src/api/body.ts'
import { usualLookMs } from '../../src/api/body-pace.ts'
import { listen } from '../../src/api/listen.ts'
import { until } from '../support/until.ts'

const quickMs = 20

/** A server that reads bodies, and a client of it that has sent a head. */
async function sending(bytes: number, lookMs = quickMs): Promise<{ socket: Socket; read: number[]; isCut(): boolean }> {
  const read: number[] = []
  const app = new Hono().post('/', async (context) => {
    read.push((await readBytes(context, bytes)).length)
    return context.text('read')
  })
  app.onError((_, context) => context.text('not read'))
  const server = await listen(app, '127.0.0.1', 0, lookMs)
  onTestFinished(() => server.close())
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => {})
  let isCut = false
  socket.on('close', () => {
    isCut = true
  })
  await once(socket, 'connect')
  socket.write(`POST / HTTP/1.1\r\nHost: here\r\nContent-Length: ${bytes}\r\n\r\n`)
  return { socket, read, isCut: () => isCut }
}

test('a body may take as long as it needs, and a head may not', async () => {
  let server: Server | undefined
  const note = (message: unknown) => {
    server = (message as { server: Server }).server
  }
  subscribe('http.server.request.start', note)
  onTestFinished(() => void unsubscribe('http.server.request.start', note))
  const { socket, read } = await sending(5, usualLookMs)
  socket.write('hello')
  await until('the body', () => read.length > 0)
  expect(read).toEqual([5])
  expect(server).toMatchObject({ requestTimeout: 0, headersTimeout: 60_000 })
})

test('a body that stands still is cut', async () => {
  const { socket, read, isCut } = await sending(100)
  socket.write('the beginning')
  await until('the cut', isCut)
  expect(read).toEqual([])
})

test('a body that trickles is cut', async () => {
  const { socket, read, isCut } = await sending(100_000_000)
  const trickle = setInterval(() => socket.write('x'), 1)
  onTestFinished(() => clearInterval(trickle))
  await until('the cut', isCut)
  expect(read).toEqual([])
})
