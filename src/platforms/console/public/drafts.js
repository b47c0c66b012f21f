/** Unsent messages by thread. The text survives a reload; chosen files survive only a switch to another thread. */
import { signal } from '@preact/signals'
import { formatSize, visibleName } from './format.js'
import { recall, remember } from './preferences.js'
import { about } from './state.js'
import { say } from './words.js'

export const draftKey = ({ project, conversation }) => conversation ?? `new:${project}`

export const attachments = signal({})

/** What is written in this tab. Others may have sent what they wrote in the same place, and emptied the storage. */
const here = new Map()

export function readDraft(key) {
  const name = `draft.${key}`
  const [text] = here.get(key) ?? recall(name, [recall(name, '')], sessionStorage)
  return text
}

export function writeDraft(key, text) {
  here.set(key, [text])
  remember(`draft.${key}`, [text], sessionStorage)
  // For a new tab.
  remember(`draft.${key}`, text)
}

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

/** A dropped folder is listed as a file, which can't be read. */
export function attachDropped(key, { items, files }) {
  const dropped = [...items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry?.())
  const isFolder = (_file, place) => dropped[place]?.isDirectory === true
  const folders = [...files].filter(isFolder)
  const others = [...files].filter((file) => !folders.includes(file))
  attach(
    key,
    others,
    folders.map(({ name }) => say.folderNotAttached({ name: visibleName(name) })),
  )
}

/**
 * Files that the bot would refuse are refused here, before anything is uploaded. `refused`: what to say of those that
 * aren't in the list.
 */
export function attach(key, list, refused = []) {
  const { file_bytes: most = Infinity, files_per_message: count = Infinity } = about.peek()?.limits ?? {}
  const before = attachments.value[key] ?? []
  const files = [...list].map(named)
  const small = files.filter(({ size }) => size <= most)
  const added = small.slice(0, Math.max(0, count - before.length))
  const sentences = [...refused, ...files.filter(({ size }) => size > most).map((file) => tooLarge(file, most))]
  if (added.length < small.length) sentences.push(say.tooManyFiles({ most: count, left: small.length - added.length }))
  refuse(key, sentences)
  if (added.length > 0) attachments.value = { ...attachments.value, [key]: [...before, ...added] }
}

/** False if it was changed, moved or removed after it was chosen. */
const isReadable = (file) =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )

/** The first file that can't be read any more. */
export async function findUnreadable(files) {
  for (const file of files) if (!(await isReadable(file))) return file
  return undefined
}

export const detach = (key, file) => {
  attachments.value = { ...attachments.value, [key]: (attachments.value[key] ?? []).filter((one) => one !== file) }
}

export const clearAttachments = (key) => {
  const { [key]: _gone, ...rest } = attachments.value
  attachments.value = rest
  refuse(key, [])
}

/** Below what is there already. */
const append = (key, text) => writeDraft(key, [readDraft(key), text].filter(Boolean).join('\n\n'))

/** Counts messages that were put back: the composer then reads its draft again. */
export const putBacks = signal(0)

/** What wasn't sent is written on, with those of its files that can still be read, and a note of the others. */
export async function putBack(key, { text, files, filesNotKept }) {
  append(key, text)
  putBacks.value += 1
  const readable = []
  const refused = filesNotKept ? [filesNotKept] : []
  for (const file of files) {
    if (await isReadable(file)) readable.push(file)
    else refused.push(say.fileUnreadable({ name: visibleName(file.name) }))
  }
  attach(key, readable, refused)
}

/** What is being written in one place goes on in another. */
export function moveDraft(from, to) {
  append(to, readDraft(from))
  writeDraft(from, '')
  const { [from]: chosen, ...others } = attachments.value
  if (chosen) attachments.value = { ...others, [to]: [...(others[to] ?? []), ...chosen] }
  const sentences = refusals.value[from] ?? []
  refuse(from, [])
  if (sentences.length > 0) refuse(to, sentences)
}
