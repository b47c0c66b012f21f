import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { html } from '../html.js'
import { Icon } from '../icons.js'
import { openPdf, pdfFailure } from '../pdf.js'
import { route } from '../state.js'
import { say } from '../words.js'

const sharpest = 2
const mostPixels = 16_000_000
const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3]

function useDocument(file) {
  const { conversation } = route.value
  const [state, setState] = useState({})
  useEffect(() => {
    const abort = new AbortController()
    const settle = (next) => !abort.signal.aborted && setState(next)
    openPdf(conversation, file, abort.signal).then(
      (document) => settle({ document }),
      (error) => settle({ failure: pdfFailure(error) }),
    )
    return () => abort.abort()
  }, [conversation, file.path])
  return [state, setState]
}

/** The width available for a page. */
function useWidth(element) {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return width
}

/** Draws the page off screen first, so that the previous one stays visible until it's ready. */
async function drawn(document, number, width, signal) {
  const page = await document.getPage(number)
  const natural = page.getViewport({ scale: 1 })
  const wanted = (width / natural.width) * Math.min(sharpest, devicePixelRatio)
  const scale = Math.min(wanted, Math.sqrt(mostPixels / (natural.width * natural.height)))
  const viewport = page.getViewport({ scale })
  const canvas = globalThis.document.createElement('canvas')
  canvas.width = Math.ceil(viewport.width)
  canvas.height = Math.ceil(viewport.height)
  const task = page.render({ canvas, viewport, annotationMode: 1 })
  signal.addEventListener('abort', () => task.cancel())
  await task.promise
  return canvas
}

function Bar({ number, pages, zoom, onPage, onZoom }) {
  const place = zooms.indexOf(zoom)
  const commit = ({ target }) => {
    const wanted = Math.round(Number(target.value))
    if (wanted >= 1 && wanted <= pages) onPage(wanted)
    target.value = wanted >= 1 && wanted <= pages ? wanted : number
  }
  return html`
    <div class="pdf-bar" role="toolbar" aria-label=${say.pages()}>
      <button class="icon-button small" type="button" aria-label=${say.previousPage()} disabled=${number === 1} onClick=${() => onPage(number - 1)}><${Icon} name="back" /></button>
      <label><span class="unseen">${say.page()}</span><input type="text" inputmode="numeric" value=${number} onChange=${commit} /></label>
      <span>${say.ofCount({ count: pages })}</span>
      <button class="icon-button small" type="button" aria-label=${say.nextPage()} disabled=${number === pages} onClick=${() => onPage(number + 1)}><${Icon} name="chevron" /></button>
      <span class="gap"></span>
      <button class="icon-button small" type="button" aria-label=${say.smaller()} disabled=${place === 0} onClick=${() => onZoom(zooms[place - 1])}>−</button>
      <span class="zoom">${Math.round(zoom * 100)} %</span>
      <button class="icon-button small" type="button" aria-label=${say.larger()} disabled=${place === zooms.length - 1} onClick=${() => onZoom(zooms[place + 1])}>+</button>
    </div>
  `
}

/** A PDF file page by page, drawn by pdf.js on a canvas. */
export function PdfView({ file }) {
  const frame = useRef(null)
  const paper = useRef(null)
  const [{ document, failure }, setState] = useDocument(file)
  const [number, setNumber] = useState(1)
  const [zoom, setZoom] = useState(1)
  const width = useWidth(frame)
  useEffect(() => {
    if (!document || width === 0) return
    const abort = new AbortController()
    drawn(document, number, Math.min(width, 900) * zoom, abort.signal).then(
      (canvas) => {
        if (abort.signal.aborted) return
        canvas.style.width = `${Math.min(width, 900) * zoom}px`
        canvas.setAttribute('role', 'img')
        canvas.setAttribute('aria-label', say.pageOf({ number, numPages: document.numPages }))
        paper.current.replaceChildren(canvas)
      },
      (error) => !abort.signal.aborted && setState({ failure: pdfFailure(error) }),
    )
    return () => abort.abort()
  }, [document, number, width, zoom])
  const turnPage = { ArrowRight: 1, ArrowLeft: -1, PageDown: 1, PageUp: -1 }
  const onKeyDown = (event) => {
    const next = number + (turnPage[event.key] ?? 0)
    if (event.target.tagName === 'INPUT' || next === number || next < 1 || next > (document?.numPages ?? 0)) return
    event.preventDefault()
    setNumber(next)
  }
  return html`
    <div class="pdf" onKeyDown=${onKeyDown}>
      ${failure && html`<div class="no-preview" role="alert"><${Icon} name="failed" /><p>${failure}</p></div>`}
      ${document && !failure && html`<${Bar} number=${number} pages=${document.numPages} zoom=${zoom} onPage=${setNumber} onZoom=${setZoom} />`}
      ${!document && !failure && html`<div class="skeleton" role="status" aria-label=${say.loadingPages()}><i></i><i></i><i></i></div>`}
      <div class="pdf-frame" ref=${frame} hidden=${Boolean(failure)}><div class="pdf-paper" ref=${paper}></div></div>
    </div>
  `
}
