import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from './args.ts'
import { fieldsOf, readBody, uploadedBytes } from './bodies.ts'
import { respond } from './respond.ts'
import type { Slack } from './slack.ts'
import type { StoredFile } from './types.ts'
import { sendJson, tokenOf } from './web-api.ts'

const loginPage = `<!DOCTYPE html><html lang="en-US"><head><title>Sign in | Slack</title></head>
<body><form id="signin_form" action="/" method="post"><h1>Sign in to your workspace</h1></form></body></html>`

export function sendLogin(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(loginPage)
}

function sendFile(response: ServerResponse, { mimetype, content }: StoredFile, length = content.length) {
  response.writeHead(200, { 'content-type': mimetype, 'content-length': content.length })
  if (length === content.length) return response.end(content)
  response.write(content.subarray(0, length), () => response.destroy())
}

/** `url_private`: without a token or the scope, Slack sends a sign-in page instead of an error. */
export function download(slack: Slack, request: IncomingMessage, response: ServerResponse, fileId: string) {
  const fault = slack.misbehave.fileFault()
  const file = slack.world.files.get(fileId)
  if (fault?.fault === 'silent') return
  if (fault?.fault === 'redirect') {
    response.writeHead(302, { location: fault.to ?? `${slack.origin()}/signin` })
    return response.end()
  }
  if (fault?.fault === 'server-error') return sendJson(response, {}, 500)
  if (fault?.fault === 'not-found' || !file || file.deleted) return sendJson(response, {}, 404)
  const allowed = tokenOf(request) === slack.settings.botToken && !slack.revoked
  const scoped = slack.settings.scopes.includes('files:read')
  if (!allowed || !scoped || fault?.fault === 'login-page') return sendLogin(response)
  sendFile(response, file, fault?.fault === 'cut' ? Math.floor(file.content.length / 2) : undefined)
}

export async function upload(slack: Slack, request: IncomingMessage, response: ServerResponse, key: string) {
  const asked = slack.uploads.get(key)
  const file = slack.world.files.get(asked?.file ?? '')
  if (!asked || !file) return sendJson(response, { ok: false, error: 'not_found' }, 404)
  const fault = slack.misbehave.faultFor('upload', {})
  if (fault?.kind === 'reset') return request.socket.resetAndDestroy()
  if (fault?.kind === 'silent') return
  if (fault?.kind === 'status') return sendJson(response, {}, fault.status)
  const content = await uploadedBytes(request, await readBody(request))
  if (content.length !== asked.length) {
    slack.violations.push(`upload of ${file.name}: ${content.length} bytes, ${asked.length} were announced`)
  }
  file.content = content
  slack.uploads.delete(key)
  response.writeHead(200, { 'content-type': 'text/plain' })
  response.end(`OK - ${content.length}`)
}

/** A response_url: posting there answers the interaction. */
export async function answerAt(slack: Slack, request: IncomingMessage, response: ServerResponse, key: string) {
  const fields = fieldsOf(request, await readBody(request))
  const target = slack.responseUrls.take(key)
  slack.calls.push({ method: 'response_url', args: fields ?? {}, at: Date.now(), ok: !('error' in target) })
  if ('error' in target) return sendJson(response, { ok: false, error: target.error }, 404)
  try {
    respond(slack, target, fields ?? {})
    slack.world.changed()
    sendJson(response, { ok: true })
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    if (thrown.violation) slack.violations.push(`response_url: ${thrown.message}`)
    sendJson(response, { ok: false, error: thrown.message, ...thrown.extra }, 400)
  }
}
