import { useMemo } from 'preact/hooks'
import { html, memo } from '../html.js'
import { say } from '../words.js'

const countLines = (text) => {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return text.endsWith('\n') ? lines - 1 : lines
}

/** Text with line numbers, which have a column of their own so that copying takes only the text. */
export const TextView = memo(({ text }) => {
  const numbers = useMemo(() => Array.from({ length: countLines(text) }, (_, index) => index + 1).join('\n'), [text])
  if (text === '') return html`<p class="nothing">${say.fileEmpty()}</p>`
  return html`
    <div class="text-view">
      <pre class="line-numbers" aria-hidden="true">${numbers}</pre>
      <pre class="line-text" role="group" aria-label=${say.text()}>${text}</pre>
    </div>
  `
})
