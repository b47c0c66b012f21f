import { setTimeout as sleep } from 'node:timers/promises'
import type { RemoteFile } from '../../../domain/chat.ts'
import { Failure, reasonOf } from '../../../kit/failure.ts'
import { exactSize } from '../../exact-size.ts'
import type { SlackApi } from '../api/api.ts'
import { reasonIn } from '../api/errors.ts'

export interface DownloadDeps {
  api: SlackApi
  apiUrl: string | undefined
}

const mostRedirects = 5
/** With the pauses between them some 8 seconds: a file that is given up has to be uploaded again. */
const tries = 5
/** Until Slack begins to answer. */
const answerTimeoutMs = 20_000

const failed = (file: RemoteFile, why: string, remedy: string, cause?: unknown) =>
  new Failure('download_failed', `${file.name} could not be fetched from Slack: ${why}`, remedy, { cause })

/** Slack shows a page to log in to whoever may not have the file. */
const notAllowed = (file: RemoteFile) =>
  failed(
    file,
    'Slack sent a web page instead',
    'The app lacks the scope files:read, or this is a canvas and no file: add the scope under “OAuth & Permissions” and install the app again, or upload a file.',
  )

const isHtml = (name: string): boolean => /\.(x?html?|htm)$/i.test(name)

/** Where the token may go: to Slack, and to the server that stands for it. */
function isSlack(url: URL, apiUrl: string | undefined): boolean {
  if (apiUrl !== undefined && url.host === new URL(apiUrl).host) return true
  return url.protocol === 'https:' && (url.hostname === 'slack.com' || url.hostname.endsWith('.slack.com'))
}

/** The bytes of a file that somebody uploaded. Throws Failure when they cannot be had. */
export async function download(deps: DownloadDeps, file: RemoteFile): Promise<ReadableStream<Uint8Array>> {
  const [id = '', known] = file.id.split(' ')
  const url = known ?? (await askFor(deps, file, id))
  const response = await follow(deps, file, url)
  if (response.headers.get('content-type')?.startsWith('text/html') && !isHtml(file.name)) {
    await response.body?.cancel()
    throw notAllowed(file)
  }
  if (response.body === null) throw failed(file, 'nothing came', 'Upload it again.')
  if (file.size === 0) return response.body
  const wrong = () => sizeError(file)
  return response.body.pipeThrough(exactSize(file.size, { more: wrong, less: wrong }))
}

const sizeError = (file: RemoteFile) =>
  isHtml(file.name) ? notAllowed(file) : failed(file, `it is not of its ${file.size} bytes`, 'Upload it again.')

/** Slack Connect: where the file lies is only told to who asks. */
async function askFor({ api }: DownloadDeps, file: RemoteFile, id: string): Promise<string> {
  try {
    const { file: found } = await api.read((client) => client.files.info({ file: id }))
    const url = found?.url_private_download ?? found?.url_private
    if (url !== undefined) return url
  } catch (thrown) {
    throw failed(file, reasonIn(thrown), 'Upload it again, or share it with this workspace.', thrown)
  }
  throw failed(file, 'Slack does not say where it lies', 'Upload it again.')
}

async function follow(deps: DownloadDeps, file: RemoteFile, first: string): Promise<Response> {
  let url = new URL(first)
  for (let redirect = 0; redirect <= mostRedirects; redirect++) {
    if (!isSlack(url, deps.apiUrl)) {
      throw failed(file, `it lies with ${url.hostname}, not with Slack`, 'Upload the file itself.')
    }
    const response = await request(deps, file, url)
    if (response.ok) return response
    await response.body?.cancel()
    const next = response.headers.get('location')
    if (next === null) throw refusal(file, response.status)
    url = new URL(next, url)
  }
  throw failed(file, 'it was redirected too often', 'Upload it again.')
}

function refusal(file: RemoteFile, status: number): Failure {
  if (status === 401 || status === 403) return notAllowed(file)
  if (status === 404 || status === 410) return failed(file, 'it is not there any more', 'Upload it again.')
  return failed(file, `Slack answered with ${status}`, 'Try again later.')
}

/** A read, so it may be tried again. */
async function request({ api }: DownloadDeps, file: RemoteFile, url: URL): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const last = attempt === tries
    try {
      const response = await ask(url, api.botToken)
      const passing = response.status === 429 || response.status >= 500
      if (last || !passing) return response
      await response.body?.cancel()
    } catch (thrown) {
      if (last) throw failed(file, reasonOf(thrown), 'Try again later.', thrown)
    }
    await sleep(250 * 2 ** attempt)
  }
}

/** The limit is on the answer's beginning: a large file may take its time. */
async function ask(url: URL, token: string): Promise<Response> {
  const given = new AbortController()
  const timer = setTimeout(() => given.abort(new Error('Slack did not answer')), answerTimeoutMs)
  try {
    const headers = { authorization: `Bearer ${token}` }
    return await fetch(url, { headers, redirect: 'manual', signal: given.signal })
  } finally {
    clearTimeout(timer)
  }
}
