import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { report } from '../../src/doctor/report.ts'
import type { Findings } from '../../src/domain/finding.ts'

/** The lines of the report, without its heading and summary. */
export async function read(findings: Findings, secrets: string[] = []): Promise<string[]> {
  let told = ''
  await report([{ title: 'Checked', findings }], secrets, (part) => {
    told += part
  })
  const end = told.lastIndexOf('\n\n')
  return told
    .slice('Checked\n'.length, end)
    .split('\n')
    .map((line) => line.replace(/^ {2}/, ''))
}

/** The lines that report a problem. */
export const troubles = async (findings: Findings): Promise<string[]> =>
  (await read(findings)).filter((line) => !line.startsWith('✓'))

export async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'bobbin-doctor-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/**
 * A proxy that changes another server's answers. `changes` maps the end of a path to a function of the original answer.
 * Resolves with the proxy's origin.
 */
export async function inFrontOf(
  origin: string,
  changes: Record<string, (answered: unknown) => unknown>,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request
    const { authorization = '', 'content-type': type = 'application/json' } = headers
    const answer = await fetch(new URL(url, origin), {
      method,
      headers: { authorization, 'content-type': type },
      ...(method === 'GET' ? {} : { body: await text(request) }),
    })
    const change = Object.entries(changes).find(([end]) => new URL(url, origin).pathname.endsWith(end))?.[1]
    response.statusCode = answer.status
    response.setHeader('content-type', 'application/json')
    response.setHeader('x-oauth-scopes', answer.headers.get('x-oauth-scopes') ?? '')
    response.end(change === undefined ? await answer.text() : JSON.stringify(change(await answer.json())))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
