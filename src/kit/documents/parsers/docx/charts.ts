import { descendants, type XmlElement, type XmlNode } from '../../xml.ts'
import type { Zip } from '../../zip.ts'
import { diagramLines, readChart } from '../pptx/chart.ts'
import { type Relationship, readPart } from '../pptx/package.ts'

const element = (name: string, children: XmlNode[]): XmlElement => ({ name, attributes: new Map(), children })
const paragraph = (line: string): XmlElement => element('w:p', [element('w:r', [element('w:t', [line])])])

/** Puts the words and values of charts and diagrams (SmartArt) in their place, as if they stood in a text box. */
export async function takeInCharts(
  root: XmlElement,
  zip: Zip,
  relationships: ReadonlyMap<string, Relationship>,
): Promise<void> {
  // A file may refer to one chart a million times.
  const seen = new Set<string>()
  for (const drawn of descendants(root, 'c:chart', 'cx:chart', 'dgm:relIds')) {
    const isChart = drawn.name !== 'dgm:relIds'
    const link = relationships.get(drawn.attributes.get(isChart ? 'r:id' : 'r:dm') ?? '')
    if (link === undefined || link.isExternal || seen.has(link.target) || !zip.has(link.target)) continue
    seen.add(link.target)
    const data = await readPart(zip, link.target)
    const content = isChart ? chartBlocks(data) : diagramLines(data).map((line) => paragraph(`- ${line}`))
    if (content.length === 0) continue
    drawn.name = 'w:txbxContent'
    drawn.children = content
  }
}

function chartBlocks(chart: XmlElement): XmlElement[] {
  const { title, rows } = readChart(chart)
  const lines = rows.map((cells) =>
    element(
      'w:tr',
      cells.map(({ text }) => element('w:tc', [paragraph(text)])),
    ),
  )
  return [paragraph(`Chart: ${title}`.trim()), ...(lines.length > 0 ? [element('w:tbl', lines)] : [])]
}
