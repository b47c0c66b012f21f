/** Unsent messages by thread. The text survives a reload; chosen files survive only a switch to another thread. */
import { signal } from '@preact/signals'
import { formatSize, visibleName } from './format.js'
import { recall, remember } from './preferences.js'
import { about } from './state.js'
import { say } from './words.js'

export const draftKey = ({ project, conversation }) => conversation ?? `new:${project}`

export const attachments = signal({})

export const readDraft = (key) => recall(`draft.${key}`, '')
export const writeDraft = (key, text) => remember(`draft.${key}`, text)

const stamp = () => new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')

/** Every pasted picture is called image.png, so a time is added to tell them apart. */
const named = (file) =>
  /^image\.\w+$/.test(file.name) ? new File([file], `pasted-${stamp()}.${file.name.split('.').at(-1)}`, file) : file

/** Why some files weren't attached, by thread, until something else is attached or sent. */
export const refusals = signal({})

const refuse = (key, sentences) => {
  const { [key]: _before, ...rest } = refusals.value
  refusals.value = sentences.length > 0 ? { ...rest, [key]: sentences } : rest
}

const tooLarge = (file, most) =>
  say.fileTooLarge({ name: visibleName(file.name), size: formatSize(file.size), most: formatSize(most) })

/** Files that the bot would refuse are refused here, before anything is uploaded. */
export function attach(key, list) {
  const { file_bytes: most = Infinity, files_per_message: count = Infinity } = about.peek()?.limits ?? {}
  const before = attachments.value[key] ?? []
  const files = [...list].map(named)
  const small = files.filter(({ size }) => size <= most)
  const added = small.slice(0, Math.max(0, count - before.length))
  const sentences = files.filter(({ size }) => size > most).map((file) => tooLarge(file, most))
  if (added.length < small.length) sentences.push(say.tooManyFiles({ most: count, left: small.length - added.length }))
  refuse(key, sentences)
  if (added.length > 0) attachments.value = { ...attachments.value, [key]: [...before, ...added] }
}

export const detach = (key, file) => {
  attachments.value = { ...attachments.value, [key]: (attachments.value[key] ?? []).filter((one) => one !== file) }
}

export const clearAttachments = (key) => {
  const { [key]: _gone, ...rest } = attachments.value
  attachments.value = rest
  refuse(key, [])
}

/** What is being written in one place goes on in another, below what is there already. */
export function moveDraft(from, to) {
  writeDraft(to, [readDraft(to), readDraft(from)].filter(Boolean).join('\n\n'))
  writeDraft(from, '')
  const { [from]: chosen, ...others } = attachments.value
  if (chosen) attachments.value = { ...others, [to]: [...(others[to] ?? []), ...chosen] }
  const sentences = refusals.value[from] ?? []
  refuse(from, [])
  if (sentences.length > 0) refuse(to, sentences)
}
