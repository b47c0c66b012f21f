import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { TestBot } from '../support/bot.ts'
import { readEvents, type Said } from '../support/client.ts'

export interface Part {
  /** The whole Content-Disposition after `form-data; `, as it goes over the wire. */
  disposition: string
  content: string | Uint8Array
}

const boundary = 'the-boundary-of-the-test'

export const formType = `multipart/form-data; boundary=${boundary}`

/** A multipart body by hand: FormData would mend what is to be tested. */
export function formBody(parts: Part[]): Buffer {
  const pieces = parts.flatMap(({ disposition, content }) => [
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`,
    content,
    '\r\n',
  ])
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)))
}

export const message = (text: string, field = 'message'): Part => ({ disposition: `name="${field}"`, content: text })

export const file = (disposition: string, content: string | Uint8Array = 'content'): Part => ({
  disposition: `name="files"; ${disposition}`,
  content,
})

export function postForm(bot: TestBot, body: Buffer | Uint8Array, type = formType): Promise<Response> {
  return fetch(`${bot.chat.url}/api/v1/agent/chat`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: new Uint8Array(body),
  })
}

/** Sends a form and reads the stream to its end. */
export async function sayForm(bot: TestBot, parts: Part[]): Promise<Said> {
  const response = await postForm(bot, formBody(parts))
  if (!response.ok) throw new Error(`chat: ${response.status} ${await response.text()}`)
  const events = await Array.fromAsync(readEvents(response))
  const complete = events.find((event) => event.type === 'complete')
  return { conversation: response.headers.get('x-conversation-id') ?? '', events, text: complete?.data.content }
}

/** Announces the whole body, sends only its beginning, and goes away without a word. */
export async function sendHalf(bot: TestBot, body: Buffer, bytes: number, sent: () => Promise<unknown>): Promise<void> {
  const { hostname, port, host } = new URL(bot.chat.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const head = `POST /api/v1/agent/chat HTTP/1.1\r\nHost: ${host}\r\nContent-Type: ${formType}\r\nContent-Length: ${body.length}\r\n\r\n`
  socket.write(head)
  await new Promise<void>((resolve) => socket.write(body.subarray(0, bytes), () => resolve()))
  await sent()
  socket.destroy()
}

/** Uploads that lie between their arrival and a workspace. */
export const incoming = (bot: TestBot): Promise<string[]> => readdir(join(bot.dataDir, 'incoming'))
