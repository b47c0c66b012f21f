/** Messages being sent. Each keeps its key until the bot has it, so that a retry doesn't send it twice. */
import { draftKey, putBack } from './drafts.js'
import { visibleName } from './format.js'
import { remember } from './preferences.js'
import { outbox } from './state.js'
import { say } from './words.js'

export const namesOf = (files) => files.map(({ name }) => visibleName(name)).join(', ')

export function newKey() {
  // randomUUID exists only on secure origins, which a bot on the local network isn't.
  if (crypto.randomUUID) return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6] & 0x0f) | 0x40
  bytes[8] = (bytes[8] & 0x3f) | 0x80
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** What is under way may arrive. Files can't be kept, so people decide about their words and what waits behind them. */
function asKept(entry, index, all) {
  const { state, files } = entry
  const kept = { ...entry, mayHaveArrived: entry.mayHaveArrived || state === 'sending' || state === 'overtaken' }
  const error = entry.error ?? say.pageClosed()
  if (files.length > 0) {
    const filesNotKept = say.attachAgain({ names: namesOf(files) })
    return { ...kept, files: [], filesNotKept, state: 'failed', error: `${error} ${filesNotKept}` }
  }
  const isLeft = state === 'overtaken' || waitsForFiles(entry, all.slice(0, index))
  return isLeft ? { ...kept, state: 'failed', error, isLost: false } : kept
}

function waitsForFiles(entry, before) {
  const isToGo = ({ state, isLost }) => (state === 'failed' ? isLost : state !== 'sent' && state !== 'overtaken')
  const holdsUp = (one) => one.files.length > 0 && isToGo(one) && draftKey(one) === draftKey(entry)
  return entry.state !== 'sending' && isToGo(entry) && before.some(holdsUp)
}

/** A reload must neither lose a message that is being sent nor send it twice. */
export function keep() {
  const kept = outbox.peek().map(asKept)
  const unsent = kept.filter(({ state, text, filesNotKept }) => state !== 'sent' && (text !== '' || !filesNotKept))
  remember('outbox', unsent.length > 0 ? unsent : undefined, sessionStorage)
}

export const entryOf = (key) => outbox.peek().find((one) => one.key === key)

export function change(key, fields) {
  outbox.value = outbox.peek().map((entry) => (entry.key === key ? { ...entry, ...fields } : entry))
  keep()
}

export function discard(key) {
  outbox.value = outbox.peek().filter((entry) => entry.key !== key)
  keep()
}

/** What was refused may have to be changed before it can be sent. */
export function edit(key) {
  const entry = entryOf(key)
  putBack(draftKey(entry), entry)
  discard(key)
}
