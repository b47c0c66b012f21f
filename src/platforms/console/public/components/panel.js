import { fileName, formatFull, formatRelative, formatSize, visibleName } from '../format.js'
import { html } from '../html.js'
import { Icon } from '../icons.js'
import { files, now, panelOpen, route, setPanelOpen, thread } from '../state.js'
import { say } from '../words.js'
import { openWorkspace } from '../workspace.js'
import { Context } from './context.js'
import { DownloadLink } from './files.js'
import { FilesNote, NoFiles } from './files-note.js'
import { Plan } from './plan.js'

const folders = [
  ['outputs', say.outputs()],
  ['uploads', say.uploads()],
  ['', say.otherFiles()],
]

/** Files listed per folder; the drawer has the rest. */
const mostShown = 30

const folderOf = (path) => {
  const first = path.split('/')[0]
  return path.includes('/') && (first === 'outputs' || first === 'uploads') ? first : ''
}

function FileRow({ file }) {
  const name = visibleName(folderOf(file.path) ? file.path.slice(file.path.indexOf('/') + 1) : file.path)
  return html`
    <li class="file-row">
      <button type="button" title=${`${visibleName(file.path)}\n${file.type}`} aria-label=${say.openPath({ path: visibleName(fileName(file.path)) })}
        onClick=${() => openWorkspace(file.path)}>
        <${Icon} name="file" />
        <span class="file-name">${name}</span>
        <span class="file-meta" title=${formatFull(file.modified_at)}>${formatSize(file.size)} · ${formatRelative(file.modified_at, now.value)}</span>
      </button>
      <${DownloadLink} path=${file.path} />
    </li>
  `
}

function Files() {
  const groups = folders
    .map(([folder, title]) => [title, files.value.filter((file) => folderOf(file.path) === folder)])
    .filter(([, list]) => list.length > 0)
  if (groups.length === 0) return html`<${NoFiles} />`
  const lists = groups.map(
    ([title, list]) => html`
      <h3 key=${title}>${title}</h3>
      <ul class="file-list">${list.slice(0, mostShown).map((file) => html`<${FileRow} key=${file.path} file=${file} />`)}</ul>
      ${
        list.length > mostShown &&
        html`<button class="button small plain" type="button" onClick=${() => openWorkspace()}>${say.moreFiles({ count: list.length - mostShown })}</button>`
      }
    `,
  )
  return html`<${FilesNote} />${lists}`
}

export const Panel = () => html`
  <aside class="panel" aria-label=${say.panel()} hidden=${!panelOpen.value}>
    <header>
      <h2>${thread.value.todos.length > 0 ? say.plan() : say.files()}</h2>
      <button class="icon-button small" type="button" aria-label=${say.close()}
        onClick=${() => setPanelOpen(false)}><${Icon} name="close" /></button>
    </header>
    ${thread.value.todos.length > 0 && html`<${Plan} todos=${thread.value.todos} /><h2>${say.files()}</h2>`}
    <${Files} />
    ${panelOpen.value && route.value.conversation && html`<${Context} />`}
  </aside>
`
