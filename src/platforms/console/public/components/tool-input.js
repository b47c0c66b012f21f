import { useMemo, useState } from 'preact/hooks'
import { partsOf } from '../call-input.js'
import { diffLines } from '../diff.js'
import { formatSize, visibleText } from '../format.js'
import { html, memo } from '../html.js'
import { say } from '../words.js'
import { Machine } from './call.js'

const mostLines = 400
const longest = 20_000
const signs = { same: ' ', removed: '-', added: '+', skipped: '⋯' }
const spoken = { removed: 'removed: ', added: 'added: ' }

const Diff = memo(({ before, after }) => {
  const [whole, setWhole] = useState(false)
  const lines = useMemo(() => diffLines(before, after), [before, after])
  const shown = whole ? lines : lines.slice(0, mostLines)
  return html`
    <div class="diff" tabindex="0" role="region" aria-label=${say.change()}>
      ${shown.map(
        ({ kind, text }, index) =>
          html`<div key=${index} class=${`line ${kind}`}><span class="sign" aria-hidden="true">${
            signs[kind]
          }</span><span class="unseen">${spoken[kind]}</span><span>${visibleText(text)}</span></div>`,
      )}
    </div>
    ${
      shown.length < lines.length &&
      html`<button class="button small" type="button" onClick=${() => setWhole(true)}>${say.moreLines({ count: lines.length - shown.length })}</button>`
    }
  `
})

/** Long text shows its number of lines, because a box cut off between two lines looks complete. */
const fewLines = 18

export const Content = memo(({ text, label = say.content() }) => {
  const [whole, setWhole] = useState(false)
  const cut = !whole && text.length > longest
  const lines = text.split('\n').length
  return html`
    ${lines > fewLines && html`<p class="lines">${say.linesScroll({ count: lines })}</p>`}
    <pre class="content" tabindex="0" role="group" aria-label=${label}>${visibleText(cut ? `${text.slice(0, longest)}…` : text)}</pre>
    ${cut && html`<button class="button small" type="button" onClick=${() => setWhole(true)}>${say.showAll({ count: formatSize(text.length) })}</button>`}
  `
})

const Edit = ({ edit: { before, after, everywhere } }) => html`
  ${everywhere && html`<p class="lines">${say.everyOccurrence()}</p>`}
  <${Diff} before=${before} after=${after} />
`

const labels = { content: say.content(), command: say.command(), code: say.code() }

const Field = ({ name, value }) => html`
  <div><dt>${visibleText(name.replaceAll('_', ' '))}</dt><dd>${visibleText(typeof value === 'string' ? value : JSON.stringify(value))}</dd></div>
`

/** A call's arguments for someone who has to judge them: complete, and edits as a diff. */
export function ToolInput({ input }) {
  const isRecord = input !== null && typeof input === 'object' && !Array.isArray(input)
  if (!isRecord) return html`<${Machine} value=${input} label=${say.arguments()} />`
  const { edits, text, fields } = partsOf(input)
  const isLong = fields.some(([, value]) => JSON.stringify(value).length > 600)
  return html`
    ${
      isLong
        ? html`<${Machine} value=${Object.fromEntries(fields)} label=${say.arguments()} />`
        : fields.length > 0 &&
          html`<dl class="fields">${fields.map(([name, value]) => html`<${Field} key=${name} name=${name} value=${value} />`)}</dl>`
    }
    ${edits.map((edit, index) => html`<${Edit} key=${index} edit=${edit} />`)}
    ${text && html`<${Content} text=${text.value} label=${labels[text.name]} />`}
  `
}
