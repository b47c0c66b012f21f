/** What sanitised Markdown gets beyond its text: frames, buttons, colours, formulas, diagrams. */
import { frameCode } from './code.js'
import { isDiagram, showDiagram } from './diagram.js'
import { showFormulas } from './math.js'

function frameTable(table) {
  const frame = document.createElement('div')
  frame.className = 'table-frame'
  frame.tabIndex = 0
  frame.setAttribute('role', 'region')
  frame.setAttribute('aria-label', 'Table')
  table.replaceWith(frame)
  frame.append(table)
}

/**
 * Works on what is inside `root`. What takes time arrives later.
 * @param {DocumentFragment} root
 */
export function enhance(root) {
  for (const table of root.querySelectorAll('table')) frameTable(table)
  for (const block of root.querySelectorAll('pre')) {
    const frame = frameCode(block)
    if (isDiagram(block)) showDiagram(frame, block.textContent)
  }
  showFormulas([...root.querySelectorAll('.math-inline, .math-block')])
}
