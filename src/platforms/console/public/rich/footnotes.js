/** Numbers of footnotes as buttons that lead there and back. Links would change the address, which names the thread. */
import { say } from '../words.js'

function button(text, label, target) {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = 'footnote-link'
  made.textContent = text
  made.setAttribute('aria-label', label)
  made.addEventListener('click', () => {
    const to = target()
    to?.focus({ preventScroll: true })
    to?.scrollIntoView({ block: 'nearest' })
  })
  return made
}

/**
 * Links what isn't linked yet.
 * @param {Element} prose
 */
export function linkFootnotes(prose) {
  const notes = () => [...prose.querySelectorAll('ol.footnotes > li')]
  const references = () => [...prose.querySelectorAll('sup.footnote-reference')]
  const count = notes().length
  for (const reference of references()) {
    const number = Number(reference.textContent)
    if (reference.firstElementChild || !(number <= count)) continue
    const link = button(reference.textContent, say.footnote({ number }), () => notes()[number - 1])
    reference.replaceChildren(link)
  }
  for (const [place, note] of notes().entries()) {
    if (note.querySelector(':scope > .footnote-link')) continue
    const first = () => references().find(({ textContent }) => Number(textContent) === place + 1)?.firstElementChild
    note.tabIndex = -1
    note.append(' ', button('↩', say.footnoteReturn({ place: place + 1 }), first))
  }
}
