/** Formulas. KaTeX is loaded with the first one, and its work is cut into short pieces. */
import { libraryAt } from '../library.js'

/** Longer ones stay text. */
const longest = 4_000
const pieceMs = 12

const settings = {
  throwOnError: true,
  strict: 'ignore',
  trust: false,
  // Macros that call themselves, and rules of any size.
  maxExpand: 500,
  maxSize: 30,
}

const library = libraryAt('/vendor/math/katex.js')
const style = document.createElement('link')
style.rel = 'stylesheet'
style.href = '/vendor/math/katex.css'
// The next formula asks for it again.
style.addEventListener('error', () => style.remove())

async function load() {
  if (!style.isConnected) document.head.append(style)
  return (await library.load()).default
}

const delimiters = { true: ['\\[', '\\]'], false: ['\\(', '\\)'] }

function show(katex, element) {
  const text = element.textContent
  const displayMode = element.className === 'math-block'
  try {
    if (text.length > longest) throw new RangeError('too long')
    const formula = document.createElement('span')
    katex.render(text, formula, { ...settings, displayMode })
    element.replaceChildren(...formula.childNodes)
    element.dataset.shown = 'formula'
    // A wide formula is scrolled, so it has to be reached by keyboard.
    if (displayMode) element.tabIndex = 0
  } catch {
    const [open, close] = delimiters[displayMode]
    const code = document.createElement('code')
    code.textContent = `${open} ${text} ${close}`
    element.replaceChildren(code)
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve))

/** @param {HTMLElement[]} elements */
export async function showFormulas(elements) {
  if (elements.length === 0) return
  const katex = await load().catch(() => undefined)
  if (katex === undefined) return
  let began = performance.now()
  for (const element of elements) {
    show(katex, element)
    if (performance.now() - began < pieceMs) continue
    await pause()
    began = performance.now()
  }
}
