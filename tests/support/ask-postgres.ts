import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'

export type Ask = { url: string; statements: string; port: MessagePort; isAnswered: Int32Array }
export type Answer = { found?: unknown; failure?: string }

let thread: Worker | undefined

/**
 * What the last of these statements found in its column `found`. It waits, as tests do that ask SQLite. Starting psql for
 * each question takes some 50 ms of processor time.
 */
export function askPostgres(url: string, statements: string): unknown {
  if (thread === undefined) {
    thread = new Worker(new URL('./asking-thread.ts', import.meta.url))
    thread.unref()
  }
  const { port1, port2 } = new MessageChannel()
  const isAnswered = new Int32Array(new SharedArrayBuffer(4))
  thread.postMessage({ url, statements, port: port2, isAnswered } satisfies Ask, [port2])
  Atomics.wait(isAnswered, 0, 0)
  const answer: Answer = receiveMessageOnPort(port1)?.message
  port1.close()
  if (answer.failure !== undefined) throw new Error(answer.failure)
  return answer.found
}
