import { html } from '../html.js'
import { isElsewhere } from '../place.js'
import { fileList, files, placeHere } from '../state.js'
import { say } from '../words.js'
import { Loading, Problem } from './loaded.js'

/** With a plus if there are more than are listed. */
export const filesCount = () => `${files.value.length}${fileList.value.hasMore ? '+' : ''}`

/** What stands in place of an empty list. */
export function NoFiles() {
  const { phase, problem } = fileList.value
  if (phase === 'loading') return html`<${Loading} />`
  if (phase === 'failed') return html`<${Problem} text=${problem} />`
  return html`<p class="nothing">${isElsewhere(placeHere.value) ? say.filesEmpty() : say.filesEmptyHint()}</p>`
}

/** That the list isn't up to date, or not whole. */
export function FilesNote() {
  const { problem, hasMore } = fileList.value
  return html`
    <${Problem} text=${problem} />
    ${hasMore && html`<p class="nothing">${say.filesCut({ count: files.value.length })}</p>`}
  `
}
