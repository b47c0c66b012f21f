import { fileUrl } from '../api.js'
import { fileName, formatSize, visibleName } from '../format.js'
import { html } from '../html.js'
import { Icon } from '../icons.js'
import { route } from '../state.js'

const FileChip = ({ file }) => html`
  <a class="chip" href=${fileUrl(route.value.conversation ?? '', file.path)} download=${fileName(file.path)}
    title=${`${visibleName(file.path)}\n${file.type}\nDownload`}>
    <${Icon} name="file" />
    <span class="file-name">${visibleName(file.name || fileName(file.path))}</span>
    <span class="file-meta">${formatSize(file.size)}</span>
    <${Icon} name="download" />
  </a>
`

export const FileChips = ({ files }) =>
  files?.length > 0 &&
  html`<div class="chips">${files.map((file) => html`<${FileChip} key=${file.path} file=${file} />`)}</div>`
