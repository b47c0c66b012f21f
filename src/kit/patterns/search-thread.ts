import { parentPort, workerData } from 'node:worker_threads'

const { source, flags } = workerData as { source: string; flags: string }
const expression = new RegExp(source, flags)

function spansIn(text: string, most: number): { start: number; end: number }[] {
  const spans = []
  for (const match of text.matchAll(expression)) {
    if (spans.length >= most) break
    spans.push({ start: match.index, end: match.index + match[0].length })
  }
  return spans
}

parentPort?.postMessage('ready')
parentPort?.on('message', ({ texts, most }: { texts: string[]; most: number }) => {
  parentPort?.postMessage(texts.map((text) => spansIn(text, most)))
})
