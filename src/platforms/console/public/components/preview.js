import { useEffect, useState } from 'preact/hooks'
import { getPreview } from '../api.js'
import { fileName, formatFull, formatRelative, formatSize, typeName, visibleName } from '../format.js'
import { html } from '../html.js'
import { Icon } from '../icons.js'
import { describe, files, now, route } from '../state.js'
import { say } from '../words.js'
import { showFile } from '../workspace.js'
import { TurnLink } from './file-turns.js'
import { DownloadLink } from './files.js'
import { PdfView } from './pdf-view.js'
import { PictureView } from './picture-view.js'
import { Prose } from './prose.js'
import { TableView } from './table-view.js'
import { TextView } from './text-view.js'

/** The bot's own message about passwords is meant for the model, which can ask for one. */
function wordsOf(error) {
  if (error.code === 'password_needed') return say.passwordNeeded()
  return error instanceof TypeError ? say.notLoaded() : describe(error)
}

/** The current preview of a file, loaded again when the list shows that it changed. */
function usePreview(path, part, as) {
  const { conversation } = route.value
  const listed = files.value.find((file) => file.path === path)
  const version = `${listed?.modified_at} ${listed?.size}`
  const [state, setState] = useState({})
  useEffect(() => {
    const abort = new AbortController()
    const settle = (next) => !abort.signal.aborted && setState({ path, version, ...next })
    getPreview(conversation, path, { part, as }, abort.signal).then(
      (preview) => settle({ preview }),
      (error) => settle({ error: wordsOf(error) }),
    )
    return () => abort.abort()
  }, [conversation, path, part, as, version])
  return state.path === path ? state : {}
}

const otherWords = {
  markdown: [say.rendered(), say.source()],
  table: [say.table(), say.text()],
  pdf: [say.pages(), say.text()],
}

const isMarkdown = ({ type, path }) => type === 'text/markdown' || /\.(md|markdown)$/i.test(path)

/** Files that have two views. */
function waysOf(preview) {
  if (preview.type === 'application/pdf') return 'pdf'
  if (/^text\/(csv|tab-separated-values)$/.test(preview.type)) return 'table'
  return preview.kind === 'text' && isMarkdown(preview) ? 'markdown' : undefined
}

const Ways = ({ ways, as, onChange }) => html`
  <div class="segments" role="group" aria-label=${say.view()}>
    ${otherWords[ways].map((title, index) => {
      const value = index === 0 ? undefined : 'text'
      return html`<button key=${title} type="button" aria-pressed=${as === value} onClick=${() => onChange(value)}>${title}</button>`
    })}
  </div>
`

const titleOf = ({ unit, number, name }) => `${say.partName({ unit, number })}${name ? `: ${visibleName(name)}` : ''}`

/** A document, one part at a time. */
const Parts = ({ parts, part, onChange }) => html`
  <div class="parts">
    <button class="icon-button small" type="button" aria-label=${say.previous()} disabled=${part === 0} onClick=${() => onChange(part - 1)}>
      <${Icon} name="back" /></button>
    <select aria-label=${say.documentPart()} value=${part} onChange=${(event) => onChange(Number(event.target.value))}>
      ${parts.map((one, index) => html`<option key=${index} value=${index}>${titleOf(one)}</option>`)}
    </select>
    <span class="quiet">${say.ofCount({ count: parts.length })}</span>
    <button class="icon-button small" type="button" aria-label=${say.next()} disabled=${part === parts.length - 1} onClick=${() => onChange(part + 1)}>
      <${Icon} name="chevron" /></button>
  </div>
`

const Failed = ({ words, path }) => html`
  <div class="no-preview" role="alert"><${Icon} name="failed" /><p>${words}</p><${DownloadLink} path=${path} small=${false} /></div>
`

const Loading = () =>
  html`<div class="skeleton" role="status" aria-label=${say.loadingFile()}><i></i><i></i><i></i></div>`

/** Until the text arrives, the loaded preview is still the other view. */
function Document({ preview: { text } }) {
  if (text === undefined) return html`<${Loading} />`
  if (text.trim() === '') return html`<p class="nothing">${say.textless()}</p>`
  return html`<div class="paper"><${Prose} text=${text} /></div>`
}

const views = {
  text: ({ preview, as }) =>
    isMarkdown(preview) && as === undefined
      ? html`<div class="paper"><${Prose} text=${preview.text} /></div>`
      : html`<${TextView} text=${preview.text} />`,
  table: ({ preview }) => html`<${TableView} table=${preview} />`,
  image: ({ preview }) => html`<${PictureView} key=${preview.modified_at} file=${preview} />`,
  pages: ({ preview, as }) =>
    preview.document === 'pdf' && as === undefined
      ? html`<${PdfView} key=${preview.modified_at} file=${preview} />`
      : html`<${Document} preview=${preview} />`,
  none: ({ preview }) => html`<${Failed} words=${preview.reason} path=${preview.path} />`,
}

const firstOf = ({ kind, rows, size }) =>
  kind === 'table' && rows ? say.rowsCut({ count: rows.length }) : say.textCut({ size: formatSize(size) })

function Notes({ preview }) {
  const notes = [...(preview.notes ?? [])]
  if (preview.cut) notes.push(firstOf(preview))
  if (preview.encoding && preview.encoding !== 'utf-8') notes.push(say.readAs({ encoding: preview.encoding }))
  return notes.length > 0 && html`<p class="preview-notes">${notes.join(' ')}</p>`
}

function Facts({ path, preview }) {
  const file = files.value.find((one) => one.path === path) ?? preview
  if (file === undefined) return null
  const { size, type, modified_at: at, changed_in: turn } = file
  return html`
    <p class="file-facts">
      <span>${formatSize(size)}</span><span title=${preview?.type ?? type}>${typeName(preview?.type ?? type)}</span>
      <time datetime=${at} title=${formatFull(at)}>${formatRelative(at, now.value)}</time>
      ${turn && html`<span class="changed-in">${say.changeOfTurn({ change: turn.change })} <${TurnLink} turn=${turn} /></span>`}
    </p>
  `
}

function Body({ state, as, path }) {
  if (state.error) return html`<${Failed} words=${state.error} path=${path} />`
  if (!state.preview) return html`<${Loading} />`
  const View = views[state.preview.kind] ?? views.none
  return html`<${View} preview=${state.preview} as=${as} /><${Notes} preview=${state.preview} />`
}

function File({ path }) {
  const [part, setPart] = useState(0)
  const [as, setAs] = useState(undefined)
  const state = usePreview(path, part, as)
  const { preview } = state
  const ways = preview && waysOf(preview)
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return html`
    <header class="file-head">
      <button class="icon-button small back" type="button" aria-label=${say.closeFile()} onClick=${() => showFile(undefined)}><${Icon} name="back" /></button>
      <div class="file-title">
        <h3 title=${visibleName(path)}><span class="file-folder">${visibleName(folder)}</span><span>${visibleName(fileName(path))}</span></h3>
        <${Facts} path=${path} preview=${preview} />
      </div>
      <${DownloadLink} path=${path} small=${false} />
    </header>
    ${
      (ways || preview?.parts?.length > 1) &&
      html`<div class="file-bar">
        ${ways && html`<${Ways} ways=${ways} as=${as} onChange=${setAs} />`}
        ${preview.parts?.length > 1 && html`<${Parts} parts=${preview.parts} part=${preview.part} onChange=${setPart} />`}
      </div>`
    }
    <div class="file-body" tabindex="0" role="region" aria-label=${say.content()}><${Body} state=${state} as=${as} path=${path} /></div>
  `
}

/** Previews one file safely: its content is never loaded as a page of its own. */
export const Preview = ({ path }) => html`<${File} key=${path} path=${path} />`
