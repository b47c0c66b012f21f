// Draws diagrams for the console, in a page of its own that has no access to it. Whatever a diagram says, only the
// text of an SVG leaves this page, and the console shows it as a picture.
const longestText = 20_000
const mostEdges = 300

const { mermaid } = globalThis

/** Pictures need a size of their own. */
function sized(svg) {
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
  const [, , width = '0', height = '0'] = (parsed.getAttribute('viewBox') ?? '').split(/[\s,]+/)
  parsed.setAttribute('width', width)
  parsed.setAttribute('height', height)
  return { svg: new XMLSerializer().serializeToString(parsed), width: Number(width), height: Number(height) }
}

async function draw({ id, text, dark }) {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    theme: dark ? 'dark' : 'neutral',
    fontFamily: 'system-ui, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
    // As a picture, it can have no HTML in it.
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    maxTextSize: longestText,
    maxEdges: mostEdges,
    suppressErrorRendering: true,
    secure: ['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'htmlLabels', 'flowchart'],
  })
  try {
    const { svg, diagramType } = await mermaid.render(`diagram-${id}`, text)
    return { id, type: diagramType, ...sized(svg) }
  } catch (error) {
    return { id, problem: String(error?.message ?? error).slice(0, 500) }
  }
}

addEventListener('message', async ({ data, source }) => {
  if (source !== parent) return
  parent.postMessage(await draw(data), '*')
})
parent.postMessage({ ready: true }, '*')
