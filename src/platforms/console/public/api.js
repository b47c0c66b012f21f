/** The bot's HTTP interface. The console uses nothing else. */
import { timeZoneHere } from './time-zone.js'
import { say } from './words.js'

class ApiError extends Error {
  constructor(status, { code, message, remedy }) {
    super(message)
    this.status = status
    this.code = code
    this.remedy = remedy
  }
}

/** Whether asking again would give the same error. Others pass: a bot that is busy, starting or short of space. */
export const isFinal = ({ status }) => [400, 401, 403, 404, 409].includes(status)

const base = '/api/v1'

async function failureOf(response) {
  const body = await response.json().catch(() => undefined)
  if (response.status === 401) {
    return new ApiError(401, {
      code: 'unauthorized',
      message: say.sessionOver(),
      remedy: say.sessionOverRemedy(),
    })
  }
  return new ApiError(
    response.status,
    body?.error ?? { code: 'http', message: say.httpStatus({ status: response.status }), remedy: '' },
  )
}

async function ask(url, options) {
  const response = await fetch(url, { credentials: 'same-origin', ...options })
  if (!response.ok) throw await failureOf(response)
  return response
}

const call = (path, options) => ask(base + path, options)

/** No request is waited for for ever, because a lost connection may leave one unanswered. */
function within(ms, signal) {
  const late = AbortSignal.timeout(ms)
  return signal === undefined ? late : either(signal, late)
}

/** As AbortSignal.any, which browsers have only since 2024. */
function either(...signals) {
  const ended = new AbortController()
  for (const one of signals) {
    if (one.aborted) ended.abort(one.reason)
    one.addEventListener('abort', () => ended.abort(one.reason), { signal: ended.signal })
  }
  return ended.signal
}

const patienceMs = 120_000
const get = (path, signal) => getUnhurried(path, within(patienceMs, signal))
/** For what a person asked for and may take long: nothing waits behind it. */
const getUnhurried = async (path, signal) => (await call(path, { signal })).json()

const send = (method, path, body, options = {}) =>
  call(path, {
    method,
    body: JSON.stringify(body),
    signal: within(patienceMs),
    ...options,
    headers: { 'Content-Type': 'application/json', ...options.headers },
  })

const post = (path, body, options) => send('POST', path, body, options)

const conversation = (id) => `/agent/conversations/${encodeURIComponent(id)}`

/** Ends what the sign-in page began. */
export const signOut = () => ask('/sign-out', { method: 'POST' })

export const getAbout = () => get('/about')
/** What is asked for again and again is given up sooner. */
const notForLong = () => within(30_000)
export const getHealth = async () => (await ask('/health', { signal: notForLong() })).json()
/** A page of threads: of a channel, archived ones, or those with some words. */
export const listConversations = (query) => get(`/agent/conversations?${new URLSearchParams(query)}`, notForLong())
/** The channels of all platforms that have threads. */
export const listProjects = async () => (await get('/agent/projects', notForLong())).projects
/** Messages that were not answered: the latest, or those with the given id or link. */
export const listIgnored = async (message) =>
  (await get(`/ignored${message ? `?${new URLSearchParams({ message })}` : ''}`)).ignored
export const getConversation = async (id, signal) => {
  const body = await get(conversation(id), signal)
  return body.conversation ?? body
}
export const getEvents = (id, from, limit, signal) =>
  get(`${conversation(id)}/events?from_sequence=${from}&limit=${limit}`, signal)
/** The thread's files, and what its latest turns changed. */
export const listFiles = (id, signal) => get(`${conversation(id)}/files`, signal)
export const listPendingRequests = () => get('/requests?status=pending', notForLong())

/** Every grant that was ever given, newest first. */
export const listGrants = async () => (await get('/grants?limit=1000')).grants
export const revokeGrant = (id, userId) => send('DELETE', `/grants/${encodeURIComponent(id)}`, { user_id: userId })
/** A page of the log: the entries before the given number, or the latest ones, of one kind or of all. */
export const readAudit = ({ before, kind, limit }, signal) =>
  get(`/audit?${new URLSearchParams({ limit, ...(before && { before }), ...(kind && { kind }) })}`, signal)
/** What the model is sent of a thread, in tokens. */
export const readContext = (id) => get(`${conversation(id)}/context`)
/** The instructions and tools that the model is sent with it. */
export const readPrompt = (id) => get(`${conversation(id)}/prompt`)
/** What calls of models have cost, by day, channel, person, model or tool, from a day on. */
export const readUsage = (by, since) => get(`/usage?${new URLSearchParams({ by, ...(since && { since }) })}`)
/** The agents, and what they did lately. */
export const listAgents = (tenant) => get(`/agents${inTenant(tenant)}`)
/** Only in a Slack workspace or Discord server; '' for all of them. */
const inTenant = (tenant) => (tenant === '' ? '' : `?${new URLSearchParams({ tenant_id: tenant })}`)
/** One of them, with its latest runs. */
const agentPath = (name, tenant, part = '') => `/agents/${encodeURIComponent(name)}${part}${inTenant(tenant)}`
export const readAgent = (name, tenant) => get(agentPath(name, tenant))
/** Changes an agent; null leaves a key unset. */
export const changeAgent = (name, keys, tenant) => send('PATCH', agentPath(name, tenant), keys)
export const addAgent = (keys) => post('/agents', keys)
/** How: enable, disable, or back to what agents.yaml says, which may be nothing. */
export const switchAgent = (name, how, tenant) =>
  how === 'back' ? call(agentPath(name, tenant), { method: 'DELETE' }) : post(agentPath(name, tenant, `/${how}`), {})
/** Which agents the words of a message choose. */
export const matchAgent = async (message, tenant) =>
  (await post(`/agents/match${inTenant(tenant)}`, { message })).json()
export const verifyAudit = () => getUnhurried('/audit/verify')
export const listTools = async () => (await get('/tools')).tools

const skillPath = (name, part, place) => `/skills/${encodeURIComponent(name)}${part}?${new URLSearchParams(place)}`
/** The skills of a channel. */
export const listSkills = async (place) => (await get(`/skills?${new URLSearchParams(place)}`)).skills
export const readSkill = (name, place) => get(skillPath(name, '', place))
export const skillPackageUrl = (name, place) => base + skillPath(name, '/package', place)
/** How: enable, disable, back or remove. */
export const changeSkill = (name, how, place) =>
  how === 'remove'
    ? call(skillPath(name, '', place), { method: 'DELETE' })
    : call(skillPath(name, `/${how}`, place), { method: 'POST' })
/** A zip archive or a SKILL.md. */
export const installSkill = (file, place) =>
  call(`/skills?${new URLSearchParams(place)}`, { method: 'POST', body: file })

const serverPath = (name) => `/mcp/servers/${encodeURIComponent(name)}`
export const listServers = async () => (await get('/mcp/servers')).servers
export const readServerTools = async (name) => (await getUnhurried(`${serverPath(name)}/tools`)).tools
/** How: test or stop. A server may take long to start. */
export const changeServer = async (name, how) =>
  (await post(`${serverPath(name)}/${how}`, {}, { signal: undefined })).json()
export const addServer = (server) => post('/mcp/servers', server)
export const removeServer = (name) => call(serverPath(name), { method: 'DELETE' })

/** Changes title, pinned or archived; gives the thread as it is then. */
export const changeThread = async (id, fields) => (await send('PATCH', conversation(id), fields)).json()
export const deleteThread = (id, userId) => send('DELETE', conversation(id), { user_id: userId })
export const exportUrl = (id, format) => `${base}${conversation(id)}/export?format=${format}`

export const stopTurn = (id, userId) => post(`${conversation(id)}/stop`, { user_id: userId })
export const resumeTurn = (id, userId) => post(`${conversation(id)}/resume`, { user_id: userId })
/** @param {{ message_id: string, value: 'good' | 'bad', reason?: string, user_id: string }} feedback */
export const giveFeedback = (id, feedback) => post(`${conversation(id)}/feedback`, feedback)
export const answerRequest = (requestId, answer) => post(`/requests/${encodeURIComponent(requestId)}/answer`, answer)

/** The stream of a thread, after the event with this number. */
export const openStream = (id, lastSequence, signal) =>
  call(`${conversation(id)}/stream`, { signal, headers: { 'Last-Event-ID': String(lastSequence) } })

const filesUrl = (id) => `${base}${conversation(id)}/files/`

/** Encodes each segment of the path; `..` must not lead out of the workspace. */
export const fileUrl = (id, path) => filesUrl(id) + encodedPath(path)

function encodedPath(path) {
  const steps = path.split('/').filter((step) => step !== '' && step !== '.' && step !== '..')
  return steps.map(encodeURIComponent).join('/')
}

/** A file's preview. `part` counts a document's parts from 0; `as: 'text'` gives text instead of a drawing. */
export function getPreview(id, path, { part = 0, as } = {}, signal) {
  const query = new URLSearchParams({ part, ...(as && { as }) })
  return getUnhurried(`${conversation(id)}/preview/${encodedPath(path)}?${query}`, signal)
}

/** The address of a file's bytes. */
export const getFile = async (id, path, signal) => (await ask(fileUrl(id, path), { signal })).blob()

/** The path that an address of `fileUrl` names; undefined for any other address. */
export function pathOfUrl(id, address) {
  const { origin, pathname } = new URL(address, location.href)
  if (origin !== location.origin || !pathname.startsWith(filesUrl(id))) return undefined
  return pathname.slice(filesUrl(id).length).split('/').map(decodeURIComponent).join('/')
}

/** How long a message may be on its way until the bot has it, ms: its files may come over a slow line. */
function sendingMs(files) {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  return 60_000 + bytes / 20
}

/**
 * Sends a message. `key` is the same on every attempt, so that the bot accepts it only once.
 * @param {{ key: string, text: string, project: string, conversation?: string, userId: string, files: File[],
 *   replaces?: number, seen?: number }} message
 * @returns {Promise<Response>} An event stream, which breaks off after a while; closing it doesn't stop the turn.
 */
export function sendMessage({ key, text, project, conversation: id, userId, files, replaces, seen }) {
  const fields = { message: text, user_id: userId, seen }
  const timeZone = timeZoneHere()
  if (timeZone) fields.time_zone = timeZone
  if (id) fields.conversation_id = id
  else fields.project_id = project
  if (replaces) fields.replaces = replaces
  const headers = { 'Idempotency-Key': key }
  const signal = within(sendingMs(files))
  if (files.length === 0) return post('/agent/chat', fields, { headers, signal })
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const file of files) form.append('files', file, file.name)
  return call('/agent/chat', { method: 'POST', body: form, headers, signal })
}
