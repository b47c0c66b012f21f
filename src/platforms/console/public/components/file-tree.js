import { useMemo, useState } from 'preact/hooks'
import { fileName, formatFull, formatRelative, formatSize, visibleName } from '../format.js'
import { classes, html } from '../html.js'
import { Icon } from '../icons.js'
import { files, now, workspace } from '../state.js'
import { treeOf } from '../tree.js'
import { say } from '../words.js'
import { showFile } from '../workspace.js'

const deepest = 8
/** Files shown per folder until somebody asks for more. */
const atOnce = 200
const openUpTo = 60

const iconOf = ({ type }) => {
  if (type.startsWith('image/') && type !== 'image/svg+xml') return 'picture'
  return /csv|tab-separated|spreadsheet|excel/.test(type) ? 'table' : 'file'
}

function FileRow({ file, depth, name }) {
  const isShown = workspace.value.path === file.path
  return html`
    <li>
      <button type="button" class=${classes('tree-row', isShown && 'current')} style=${{ '--depth': depth }} data-path=${file.path}
        aria-current=${isShown ? 'true' : undefined} title=${visibleName(file.path)} onClick=${() => showFile(file.path)}>
        <${Icon} name=${iconOf(file)} />
        <span class="file-name">${visibleName(name ?? fileName(file.path))}</span>
        <span class="file-meta">${formatSize(file.size)}</span>
        <time class="file-meta" datetime=${file.modified_at} title=${formatFull(file.modified_at)}>${formatRelative(file.modified_at, now.value)}</time>
      </button>
    </li>
  `
}

function Rows({ list, depth, name }) {
  const [all, setAll] = useState(false)
  const shown = all ? list : list.slice(0, atOnce)
  return html`
    ${shown.map((file) => html`<${FileRow} key=${file.path} file=${file} depth=${depth} name=${name?.(file)} />`)}
    ${
      shown.length < list.length &&
      html`<li><button class="button small plain" type="button" onClick=${() => setAll(true)}>${say.moreFiles({ count: list.length - shown.length })}</button></li>`
    }
  `
}

function Folder({ folder, depth, openFrom }) {
  const { path } = workspace.value
  const holdsShown = path?.startsWith(`${folder.path}/`) ?? false
  const [open, setOpen] = useState(undefined)
  const isOpen = open ?? (depth === 0 || holdsShown || folder.count <= openFrom)
  const next = Math.min(depth + 1, deepest)
  return html`
    <li>
      <button type="button" class="tree-row folder" style=${{ '--depth': depth }} aria-expanded=${isOpen}
        title=${visibleName(folder.path)} onClick=${() => setOpen(!isOpen)}>
        <${Icon} name="chevron" />
        <span class="file-name">${visibleName(folder.name)}</span>
        <span class="file-meta">${folder.count}</span>
      </button>
      ${
        isOpen &&
        html`<ul>
          ${folder.folders.map((one) => html`<${Folder} key=${one.path} folder=${one} depth=${next} openFrom=${openFrom} />`)}
          <${Rows} list=${folder.files} depth=${next} />
        </ul>`
      }
    </li>
  `
}

const moves = { ArrowDown: 1, ArrowUp: -1 }

/** Arrow keys move between rows, and open and close folders. */
function onKeyDown(event) {
  const row = event.target.closest?.('.tree-row')
  if (!row) return
  const expanded = row.getAttribute('aria-expanded')
  const isToggle =
    (event.key === 'ArrowRight' && expanded === 'false') || (event.key === 'ArrowLeft' && expanded === 'true')
  if (!moves[event.key] && !isToggle) return
  event.preventDefault()
  if (isToggle) return row.click()
  const rows = [...event.currentTarget.querySelectorAll('.tree-row')]
  rows[rows.indexOf(row) + moves[event.key]]?.focus()
}

/** The files by folder, or those whose path matches the search. */
export function FileTree({ wanted }) {
  const list = files.value
  const tree = useMemo(() => treeOf(list), [list])
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length > 0) {
    const found = list.filter(({ path }) => words.every((word) => path.toLowerCase().includes(word)))
    if (found.length === 0) return html`<p class="nothing">${say.nothingMatches()}</p>`
    return html`<ul class="tree" onKeyDown=${onKeyDown}><${Rows} list=${found} depth=${0} name=${({ path }) => path} /></ul>`
  }
  return html`
    <ul class="tree" onKeyDown=${onKeyDown}>
      ${tree.map((folder) => html`<${Folder} key=${folder.path} folder=${folder} depth=${0} openFrom=${list.length <= openUpTo ? openUpTo : 12} />`)}
    </ul>
  `
}
