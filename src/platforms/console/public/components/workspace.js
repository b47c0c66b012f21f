import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { leaving } from '../dialog.js'
import { classes, html } from '../html.js'
import { Icon } from '../icons.js'
import { files, workspace } from '../state.js'
import { say } from '../words.js'
import { closeWorkspace } from '../workspace.js'
import { FileTree } from './file-tree.js'
import { FileTurns } from './file-turns.js'
import { FilesNote, filesCount, NoFiles } from './files-note.js'
import { Preview } from './preview.js'

const tabs = [
  ['folders', say.folders()],
  ['turns', say.byTurn()],
]

const Tabs = ({ view, onChange }) => html`
  <div class="segments" role="group" aria-label=${say.order()}>
    ${tabs.map(
      ([name, title]) =>
        html`<button key=${name} type="button" aria-pressed=${view === name} onClick=${() => onChange(name)}>${title}</button>`,
    )}
  </div>
`

function List() {
  const [view, setView] = useState('folders')
  const [wanted, setWanted] = useState('')
  if (files.value.length === 0 && view === 'folders') return html`<${NoFiles} />`
  return html`
    <div class="list-head">
      <${Tabs} view=${view} onChange=${setView} />
      ${
        view === 'folders' &&
        html`<input type="search" placeholder=${say.findFile()} aria-label=${say.findFile()} value=${wanted} spellcheck=${false}
          onInput=${(event) => setWanted(event.target.value)} />`
      }
    </div>
    <div class="list-body"><${FilesNote} />${view === 'folders' ? html`<${FileTree} wanted=${wanted} />` : html`<${FileTurns} />`}</div>
  `
}

function Drawer() {
  const { path } = workspace.value
  return html`
    <div class=${classes('workspace-body', path !== undefined && 'has-file')}>
      <nav class="workspace-list" aria-label=${say.files()}><${List} /></nav>
      <section class="workspace-file" aria-label=${say.preview()}>
        ${
          path === undefined
            ? html`<p class="nothing centred">${files.value.length > 0 ? say.nothingSelected() : ''}</p>`
            : html`<${Preview} path=${path} />`
        }
      </section>
    </div>
  `
}

/** The thread's files: the list, their content, and which turn changed them. */
export function Workspace() {
  const dialog = useRef(null)
  const { open, path } = workspace.value
  useLayoutEffect(() => {
    if (open && !dialog.current.open) dialog.current.showModal()
    if (!open) dialog.current.close()
  }, [open])
  useEffect(() => {
    if (open) dialog.current.querySelector(path === undefined ? '.tree-row' : '.file-body')?.focus()
  }, [open])
  const onClick = (event) => event.target === dialog.current && closeWorkspace()
  return html`
    <dialog class="workspace" ref=${dialog} ...${leaving(dialog, closeWorkspace)} onClick=${onClick} aria-labelledby="workspace-title">
      <div class="workspace-frame">
        <header class="workspace-head">
          <h2 id="workspace-title">${say.files()} <span>(${filesCount()})</span></h2>
          <button class="icon-button small" type="button" aria-label=${say.closeFiles()} title=${say.closeEsc()} onClick=${closeWorkspace}>
            <${Icon} name="close" /></button>
        </header>
        ${open && html`<${Drawer} />`}
      </div>
    </dialog>
  `
}
