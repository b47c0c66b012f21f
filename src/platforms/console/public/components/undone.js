import { useState } from 'preact/hooks'
import { html } from '../html.js'
import { say } from '../words.js'
import { Time } from './message.js'

const countOf = (items) => items.filter(({ kind }) => kind === 'message' || kind === 'turn').length

/** What was said before somebody went back. It stays readable, folded. */
export function Undone({ item, View }) {
  const [open, setOpen] = useState(false)
  const { items, person, at } = item
  const count = countOf(items)
  return html`
    <details class="undone" open=${open} onToggle=${(event) => event.target === event.currentTarget && setOpen(event.target.open)}>
      <summary>${say.earlierVersion({ count, name: person.name })} <${Time} at=${at} /></summary>
      ${open && items.map((one) => html`<${View} key=${one.key} item=${one} isLast=${false} isUndone=${true} />`)}
    </details>
  `
}
