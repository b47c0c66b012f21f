/** Blocks of code: the language's name, a button that copies, and colours. */
import { sanitise } from '../sanitise.js'
import { say } from '../words.js'
import { highlight } from './highlight.js'
import { languageOf } from './languages.js'

/** Longer code isn't coloured. */
const longest = 50_000

/** @returns {HTMLElement} The frame around the block. */
export function frameCode(block) {
  const code = block.querySelector('code')
  const { id, name } = languageOf(/^language-(\S+)/.exec(code?.className ?? '')?.[1])
  const frame = document.createElement('div')
  frame.className = 'code-block'
  const header = document.createElement('div')
  header.className = 'code-header'
  const label = document.createElement('span')
  label.textContent = name
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button small plain copy'
  button.textContent = say.copy()
  header.append(label, button)
  block.tabIndex = 0
  block.setAttribute('role', 'group')
  block.setAttribute('aria-label', name === '' ? say.code() : say.codeIn({ language: name }))
  block.replaceWith(frame)
  frame.append(header, block)
  if (id && code.textContent.length <= longest) colour(code, id)
  return frame
}

async function colour(code, id) {
  const text = code.textContent
  const html = await highlight(text, id)
  if (html === undefined) return
  const coloured = sanitise(html)
  // Whatever the colours are, the text is what was written.
  if (coloured.textContent === text) code.replaceChildren(coloured)
}
