import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { chatRoute } from '../../src/api/chat.ts'
import type { ApiDeps } from '../../src/api/deps.ts'
import { errorResponse } from '../../src/api/errors.ts'
import { Failure } from '../../src/kit/failure.ts'
import { openStaging } from '../../src/workspace/staging.ts'
import { shippedConfig } from '../support/shipped.ts'

/** An upload to an interface that stores messages like this. */
async function upload(receive: ApiDeps['receive']) {
  const directory = await mkdtemp(join(tmpdir(), 'bobbin-staged-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const staging = await openStaging(directory)
  const app = new Hono()
  app.onError((thrown, context) => errorResponse(context, thrown, () => {}))
  chatRoute(app, { config: shippedConfig(), staging, receive, trustsUserId: true } as ApiDeps)
  const body = new FormData()
  body.set('message', 'look')
  body.set('user_id', 'ana')
  body.set('file', new Blob(['text']), 'notes.txt')
  const { status } = await app.request('/agent/chat', { method: 'POST', body })
  return { status, staged: await readdir(directory) }
}

test('a message that may be stored keeps its files, and whoever sent it is told to repeat it', async () => {
  const broken = await upload(async () => {
    throw new Failure('outcome_unknown', 'The connection broke during a commit.', 'Send it again.')
  })
  expect(broken).toEqual({ status: 503, staged: [expect.any(String)] })
})

test('a message that isn’t stored leaves no files', async () => {
  const refused = await upload(async () => {
    throw new Failure('still_running', 'Bobbin is still working.', 'Wait for the answer.')
  })
  expect(refused).toEqual({ status: 409, staged: [] })
})
