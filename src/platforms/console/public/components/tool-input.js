import { useMemo, useState } from 'preact/hooks'
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

const isEdit = (edit) => typeof edit?.old_string === 'string' && typeof edit?.new_string === 'string'

function changeOf(input) {
  if (isEdit(input)) return html`<${Diff} before=${input.old_string} after=${input.new_string} />`
  if (Array.isArray(input?.edits) && input.edits.length > 0 && input.edits.every(isEdit)) {
    return input.edits.map(
      (edit, index) => html`<${Diff} key=${index} before=${edit.old_string} after=${edit.new_string} />`,
    )
  }
  if (typeof input?.content === 'string') return html`<${Content} text=${input.content} />`
  const name = programs.find((one) => typeof input?.[one] === 'string')
  return name && html`<${Content} text=${input[name]} label=${name === 'code' ? say.code() : say.command()} />`
}

/** Code and commands, with line numbers. */
const programs = ['command', 'code']
const inChange = new Set(['old_string', 'new_string', 'edits', 'content', ...programs])

const Field = ({ name, value }) => html`
  <div><dt>${name.replaceAll('_', ' ')}</dt><dd>${visibleText(typeof value === 'string' ? value : JSON.stringify(value))}</dd></div>
`

const isEmpty = (value) => value === '' || (Array.isArray(value) && value.length === 0)

/** A call's arguments for someone who has to judge them: complete, and edits as a diff. */
export function ToolInput({ input }) {
  const change = changeOf(input)
  const isRecord = input !== null && typeof input === 'object' && !Array.isArray(input)
  if (!isRecord) return html`<${Machine} value=${input} label=${say.arguments()} />`
  // An empty text means that nothing was given.
  const fields = Object.entries(input).filter(([name, value]) => !isEmpty(value) && !(change && inChange.has(name)))
  const isLong = fields.some(([, value]) => JSON.stringify(value).length > 600)
  return html`
    ${
      isLong
        ? html`<${Machine} value=${Object.fromEntries(fields)} label=${say.arguments()} />`
        : fields.length > 0 &&
          html`<dl class="fields">${fields.map(([name, value]) => html`<${Field} key=${name} name=${name} value=${value} />`)}</dl>`
    }
    ${change}
  `
}
