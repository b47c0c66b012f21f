import { useState } from 'preact/hooks'
import { formatSize } from '../format.js'
import { html, memo } from '../html.js'
import { say } from '../words.js'

const longest = 12_000
const pattern =
  /```[^\n`]*\n([\s\S]*?)```|`([^`\n]+)`|(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])|(?<![\w@])@bobbin\b|(?<![\p{L}\p{N}_#])#[\p{L}\p{M}\p{N}_./-]*[\p{L}\p{M}\p{N}_/-]/giu

function piece(match) {
  const [whole, block, code, url] = match
  if (block !== undefined) return html`<pre><code>${block}</code></pre>`
  if (code !== undefined) return html`<code>${code}</code>`
  if (url !== undefined) return html`<a href=${url} target="_blank" rel="noopener noreferrer">${url}</a>`
  return html`<span class="mention">${whole}</span>`
}

function pieces(text) {
  const out = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    out.push(text.slice(end, match.index), piece(match))
    end = match.index + match[0].length
  }
  out.push(text.slice(end))
  return out
}

/** A person's message as typed; only code, links and names are highlighted. */
export const PlainText = memo(({ text }) => {
  const [whole, setWhole] = useState(false)
  const cut = !whole && text.length > longest
  return html`
    <div class="plain-text" dir="auto">${whole && text.length > longest ? text : pieces(cut ? text.slice(0, longest) : text)}${cut && '…'}</div>
    ${cut && html`<button class="button small" type="button" onClick=${() => setWhole(true)}>${say.showAll({ count: formatSize(text.length) })}</button>`}
  `
})
