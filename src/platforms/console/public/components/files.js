import { useState } from 'preact/hooks'
import { fileUrl } from '../api.js'
import { fileName, formatFull, formatSize, formatTime, visibleName } from '../format.js'
import { html } from '../html.js'
import { Icon } from '../icons.js'
import { files, route, today } from '../state.js'
import { say } from '../words.js'
import { openWorkspace } from '../workspace.js'

export const DownloadLink = ({ path, small = true }) => html`
  <a class=${small ? 'icon-button small' : 'button small'} href=${fileUrl(route.value.conversation ?? '', path)}
    download=${fileName(path)} title=${say.download()} aria-label=${say.downloadFile({ name: visibleName(fileName(path)) })}>
    <${Icon} name="download" />${small ? '' : say.download()}
  </a>
`

/** What browsers draw and the API serves as what it is. Larger pictures keep their icon. */
const drawn = /^image\/(png|jpeg|gif|webp)$/
const largestThumbnail = 15_000_000

/** A small picture, once the file is in the thread's workspace; otherwise, or if it's damaged, an icon. */
function Thumbnail({ file: { path, type, size } }) {
  const [failed, setFailed] = useState(false)
  const isThere = files.value.some((file) => file.path === path)
  if (failed || !isThere || !drawn.test(type) || size > largestThumbnail) return html`<${Icon} name="file" />`
  return html`<img class="thumbnail" src=${fileUrl(route.value.conversation ?? '', path)} alt="" loading="lazy" decoding="async"
    onError=${() => setFailed(true)} />`
}

/** The later turn that changed the file last, so that it no longer is what this turn's answer had. */
function changedSince(path, turn) {
  const changed = files.value.find((file) => file.path === path)?.changed_in
  if (!changed || !turn || changed.turn_id === turn.id) return undefined
  return Date.parse(changed.started_at) > Date.parse(turn.startedAt) ? changed : undefined
}

function Since({ changed: { person, started_at: at } }) {
  const time = formatTime(at, today.value)
  return html`<span class="file-meta since" title=${formatFull(at)}>${say.changedSince({ name: person.name, time })}</span>`
}

function FileChip({ file, turn }) {
  const changed = changedSince(file.path, turn)
  return html`
  <span class="chip file-chip">
    <button type="button" title=${`${visibleName(file.path)}\n${file.type}`} onClick=${() => openWorkspace(file.path)}>
      <${Thumbnail} file=${file} />
      <span class="file-name">${visibleName(file.name || fileName(file.path))}</span>
      ${changed ? html`<${Since} changed=${changed} />` : html`<span class="file-meta">${formatSize(file.size)}</span>`}
    </button>
    <${DownloadLink} path=${file.path} />
  </span>
`
}

const shownChips = 6
/** So many files are folded to the first few. */
const foldFrom = 10

/** The files of a message. Many are folded; the drawer has them by folder. `turn`: whose answer it is. */
export function FileChips({ files: list, turn }) {
  const [all, setAll] = useState(false)
  if (!(list?.length > 0)) return null
  const shown = all || list.length < foldFrom ? list : list.slice(0, shownChips)
  return html`
    <div class="chips">
      ${shown.map((file) => html`<${FileChip} key=${file.path} file=${file} turn=${turn} />`)}
      ${
        shown.length < list.length &&
        html`<button class="button small plain" type="button" onClick=${() => setAll(true)}>${say.moreFiles({ count: list.length - shown.length })}</button>`
      }
    </div>
  `
}

/** A button that opens the file a call names, while the file exists. */
export const OpenFile = ({ path }) =>
  typeof path === 'string' &&
  files.value.some((file) => file.path === path) &&
  html`<button class="button small open-file" type="button" onClick=${() => openWorkspace(path)}>
    <${Icon} name="file" />${say.openPath({ path: visibleName(fileName(path)) })}</button>`
