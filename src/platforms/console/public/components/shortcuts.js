import { useEffect, useRef } from 'preact/hooks'
import { leaving } from '../dialog.js'
import { html } from '../html.js'
import { Icon } from '../icons.js'
import { shortcuts } from '../keyboard.js'
import { shortcutsOpen } from '../state.js'
import { say } from '../words.js'

export function Shortcuts() {
  const dialog = useRef(null)
  const open = shortcutsOpen.value
  useEffect(() => {
    if (open) dialog.current.showModal()
    else dialog.current.close()
  }, [open])
  const close = () => {
    shortcutsOpen.value = false
  }
  const onClick = (event) => event.target === dialog.current && close()
  return html`
    <dialog class="shortcuts" ref=${dialog} ...${leaving(dialog, close)} onClick=${onClick} aria-labelledby="shortcuts-title">
      <div>
        <header>
          <h2 id="shortcuts-title">${say.keyboard()}</h2>
          <button class="icon-button small" type="button" aria-label=${say.close()} onClick=${close}><${Icon} name="close" /></button>
        </header>
        <dl>
          ${shortcuts.map(
            ([keys, meaning]) => html`
              <div><dt>${keys.split(/\s+/).map((key) => html`<kbd>${key}</kbd>`)}</dt><dd>${meaning}</dd></div>
            `,
          )}
        </dl>
      </div>
    </dialog>
  `
}
