import { useEffect, useRef, useState } from 'preact/hooks'
import { changeThread, deleteThread, exportUrl, listFiles } from '../api.js'
import { leaving } from '../dialog.js'
import { draftKey, moveDraft } from '../drafts.js'
import { formatSize } from '../format.js'
import { html } from '../html.js'
import { Icon } from '../icons.js'
import { leaveThread } from '../outbox.js'
import { keyOf } from '../place.js'
import { go } from '../route.js'
import { refreshSoon } from '../sidebar.js'
import { me, notify, opened, report, route, threadMenu } from '../state.js'
import { replaceThread } from '../thread-list.js'
import { say } from '../words.js'

const close = () => {
  threadMenu.value = undefined
}

/** Opens the menu of a thread below a button. */
export function openMenu(event, conversation) {
  event.preventDefault()
  const { left, bottom } = event.currentTarget.getBoundingClientRect()
  threadMenu.value = { conversation, left, top: bottom }
}

async function change(conversation, fields) {
  try {
    const changed = await changeThread(conversation.id, fields)
    if (opened.peek()?.id === changed.id) opened.value = changed
    replaceThread(conversation.id, changed)
    close()
  } catch (error) {
    report(error)
  }
  refreshSoon()
}

async function remove(conversation) {
  try {
    await deleteThread(conversation.id, me.peek())
    replaceThread(conversation.id, undefined)
    leaveThread(conversation.id, keyOf(conversation))
    close()
    // Whoever has it open is told by its stream.
    if (route.peek().conversation === conversation.id) {
      moveDraft(conversation.id, draftKey({ project: keyOf(conversation) }))
      go(keyOf(conversation))
    } else notify(say.threadDeleted())
  } catch (error) {
    report(error)
  }
  refreshSoon()
}

function Rename({ conversation }) {
  const field = useRef(null)
  useEffect(() => field.current.select(), [])
  const submit = (event) => {
    event.preventDefault()
    const title = field.current.value.trim()
    if (title === '' || title === conversation.title) return close()
    change(conversation, { title })
  }
  return html`
    <form class="thread-form" onSubmit=${submit}>
      <label>${say.title()}<input ref=${field} type="text" dir="auto" maxlength="200" value=${conversation.title} autocomplete="off" /></label>
      <div class="thread-form-buttons">
        <button class="button small" type="button" onClick=${close}>${say.cancel()}</button>
        <button class="button small primary" type="submit">${say.rename()}</button>
      </div>
    </form>
  `
}

/** Without numbers unless all files are known. */
const deletedWords = (list) => {
  if (list === undefined || list.has_more) return say.deletesWithFiles()
  const { files } = list
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (files.length === 0) return say.deletesWithoutFiles()
  return say.deletesWithCount({ count: files.length, size: formatSize(bytes) })
}

function Delete({ conversation }) {
  const [list, setList] = useState(undefined)
  const cancel = useRef(null)
  useEffect(() => {
    cancel.current.focus()
    listFiles(conversation.id).then(setList, () => {})
  }, [])
  const elsewhere = conversation.platform !== 'console'
  return html`
    <div class="thread-form" role="group" aria-label=${say.deleteThread()}>
      <p><b>${say.deleteTitle({ title: conversation.title || say.untitled() })}</b></p>
      <p>${deletedWords(list)} ${elsewhere && say.chatMessagesStay()}</p>
      <div class="thread-form-buttons">
        <button class="button small" type="button" ref=${cancel} onClick=${close}>${say.cancel()}</button>
        <button class="button small danger" type="button" onClick=${() => remove(conversation)}>${say.delete()}</button>
      </div>
    </div>
  `
}

const formats = [
  ['md', 'Markdown'],
  ['zip', say.zipFormat()],
  ['json', 'JSON'],
]

function Actions({ conversation, onChoose }) {
  const { id, pinned, archived } = conversation
  const first = useRef(null)
  useEffect(() => first.current.focus(), [])
  return html`
    <ul class="thread-actions">
      <li><button type="button" ref=${first} onClick=${() => onChoose('rename')}>${say.rename()}</button></li>
      <li><button type="button" onClick=${() => change(conversation, { pinned: !pinned })}>${pinned ? say.unpin() : say.pin()}</button></li>
      <li><button type="button" onClick=${() => change(conversation, { archived: !archived })}
        title=${say.archiveHint()}>${archived ? say.unarchive() : say.archive()}</button></li>
      ${formats.map(
        ([format, name]) => html`
          <li key=${format}><a href=${exportUrl(id, format)} download onClick=${() => setTimeout(close)}>${say.exportAs({ name })}</a></li>
        `,
      )}
      <li><button class="danger" type="button" onClick=${() => onChoose('delete')}>${say.deleteMenu()}</button></li>
    </ul>
  `
}

function Menu({ conversation }) {
  const [view, setView] = useState('actions')
  if (view === 'rename') return html`<${Rename} conversation=${conversation} />`
  if (view === 'delete') return html`<${Delete} conversation=${conversation} />`
  return html`<${Actions} conversation=${conversation} onChoose=${setView} />`
}

const widthPx = 260
const heightPx = 300

/** What people can do with a thread. */
export function ThreadMenu() {
  const dialog = useRef(null)
  const menu = threadMenu.value
  useEffect(() => {
    if (menu && !dialog.current.open) dialog.current.showModal()
    if (!menu && dialog.current.open) dialog.current.close()
  }, [menu])
  const place = menu && {
    left: `${Math.max(8, Math.min(menu.left, innerWidth - widthPx - 8))}px`,
    top: `${Math.max(8, Math.min(menu.top + 4, innerHeight - heightPx - 8))}px`,
  }
  const onClick = (event) => event.target === dialog.current && close()
  return html`
    <dialog class="thread-menu" ref=${dialog} style=${place} ...${leaving(dialog, close)} onClick=${onClick}
      aria-label=${menu ? say.threadNamed({ title: menu.conversation.title || say.untitled() }) : say.thread()}>
      ${menu && html`<div key=${menu.conversation.id}><${Menu} conversation=${menu.conversation} /></div>`}
    </dialog>
  `
}

export const MenuButton = ({ conversation }) => html`
  <button class="icon-button small thread-more" type="button" aria-haspopup="dialog" title=${say.threadMenuHint()}
    aria-label=${say.threadActions()} onClick=${(event) => openMenu(event, conversation)}>
    <${Icon} name="more" /></button>
`
