import { useRef } from 'preact/hooks'
import { html } from '../html.js'
import { keyOf } from '../place.js'
import { found } from '../state.js'
import { loadMoreFound, searchFor } from '../thread-list.js'
import { say } from '../words.js'
import { EndlessList, ThreadLink } from './thread-links.js'

/** Finds threads of all channels by their titles and messages. */
export function ThreadSearch() {
  const field = useRef(null)
  const onKeyDown = (event) => {
    if (event.key !== 'Escape' || event.target.value === '') return
    event.preventDefault()
    event.stopPropagation()
    event.target.value = ''
    searchFor('')
  }
  return html`
    <div class="thread-search" role="search" aria-label=${say.threads()}>
      <input ref=${field} type="search" placeholder=${say.searchThreads()} aria-label=${say.searchThreads()} spellcheck=${false}
        autocomplete="off" maxlength="200" onInput=${(event) => searchFor(event.target.value)} onKeyDown=${onKeyDown} />
    </div>
  `
}

/** What the search found, over all channels. */
export function Found() {
  const { list, words } = found.value
  if (list.length === 0) return html`<p class="nothing" role="status">${say.noThreads({ words })}</p>`
  return html`
    <${EndlessList} class="threads found" label=${say.searchResults()} more=${loadMoreFound}>
      ${list.map((one) => html`<${ThreadLink} key=${one.id} conversation=${one} project=${keyOf(one)} marksArchived=${true} />`)}
    <//>
  `
}
