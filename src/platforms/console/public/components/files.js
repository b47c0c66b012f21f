import { fileUrl } from '../api.js'
import { fileName, formatSize, visibleName } from '../format.js'
import { html } from '../html.js'
import { Icon } from '../icons.js'
import { files, route } from '../state.js'
import { openWorkspace } from '../workspace.js'

export const DownloadLink = ({ path, small = true }) => html`
  <a class=${small ? 'icon-button small' : 'button small'} href=${fileUrl(route.value.conversation ?? '', path)}
    download=${fileName(path)} title="Download" aria-label=${`Download ${visibleName(fileName(path))}`}>
    <${Icon} name="download" />${small ? '' : 'Download'}
  </a>
`

const FileChip = ({ file }) => html`
  <span class="chip file-chip">
    <button type="button" title=${`${visibleName(file.path)}\n${file.type}`} onClick=${() => openWorkspace(file.path)}>
      <${Icon} name="file" />
      <span class="file-name">${visibleName(file.name || fileName(file.path))}</span>
      <span class="file-meta">${formatSize(file.size)}</span>
    </button>
    <${DownloadLink} path=${file.path} />
  </span>
`

export const FileChips = ({ files: list }) =>
  list?.length > 0 &&
  html`<div class="chips">${list.map((file) => html`<${FileChip} key=${file.path} file=${file} />`)}</div>`

/** A button that opens the file a call names, while the file exists. */
export const OpenFile = ({ path }) =>
  typeof path === 'string' &&
  files.value.some((file) => file.path === path) &&
  html`<button class="button small open-file" type="button" onClick=${() => openWorkspace(path)}>
    <${Icon} name="file" />Open ${visibleName(fileName(path))}</button>`
