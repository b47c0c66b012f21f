/** Unsent messages by thread. The text survives a reload; chosen files survive only a switch to another thread. */
import { signal } from '@preact/signals'
import { recall, remember } from './preferences.js'

export const draftKey = ({ project, conversation }) => conversation ?? `new:${project}`

export const attachments = signal({})

export const readDraft = (key) => recall(`draft.${key}`, '')
export const writeDraft = (key, text) => remember(`draft.${key}`, text)

const stamp = () => new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')

/** Every pasted picture is called image.png, so a time is added to tell them apart. */
const named = (file) =>
  /^image\.\w+$/.test(file.name) ? new File([file], `pasted-${stamp()}.${file.name.split('.').at(-1)}`, file) : file

export function attach(key, list) {
  const added = [...list].map(named)
  if (added.length > 0)
    attachments.value = { ...attachments.value, [key]: [...(attachments.value[key] ?? []), ...added] }
}

export const detach = (key, file) => {
  attachments.value = { ...attachments.value, [key]: (attachments.value[key] ?? []).filter((one) => one !== file) }
}

export const clearAttachments = (key) => {
  const { [key]: _gone, ...rest } = attachments.value
  attachments.value = rest
}
