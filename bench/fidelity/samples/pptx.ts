import pptxgen from 'pptxgenjs'
import type { Mark, Sample } from '../sample.ts'
import { type Story, storyOf } from '../texts.ts'

type Deck = import('pptxgenjs').default

/** Presentations as a common library writes them. */
export async function pptxSamples(stories: Map<string, Story>): Promise<Sample[]> {
  const english = storyOf(stories, 'en')
  return Promise.all([
    ...[...stories.values()].map(bullets),
    tableSlide(english),
    hiddenSlide(english),
    twoColumns(english),
    chart(english),
  ])
}

async function pptx(made: Omit<Sample, 'kind' | 'name' | 'bytes'>, fill: (deck: Deck) => void): Promise<Sample> {
  // Its types name the default export as if it were the module.
  const deck = new (pptxgen as unknown as new () => Deck)()
  deck.defineSlideMaster({
    title: 'Titled',
    objects: [{ placeholder: { options: { name: 'title', type: 'title', x: 0.5, y: 0.2, w: 9, h: 0.8 }, text: '' } }],
  })
  fill(deck)
  // Asked for a Node buffer, it gives one; its type lists all forms.
  const bytes = (await deck.write({ outputType: 'nodebuffer' })) as Uint8Array
  return { kind: 'pptx', name: 'sample.pptx', bytes, ...made }
}

const levels = [0, 1, 2, 2, 1, 0]

function slideOf(deck: Deck, title: string) {
  const slide = deck.addSlide({ masterName: 'Titled' })
  slide.addText(title, { placeholder: 'title' })
  return slide
}

/** Bullets of three levels, with notes that nobody sees on the slide. */
function bullets({ language, title, items, sections }: Story): Promise<Sample> {
  const note = sections[0]?.paragraphs[0] ?? ''
  const marks: Mark[] = [
    { kind: 'headings', text: title },
    ...items.map((text, index): Mark => ({ kind: 'list items', text, level: levels[index] ?? 0 })),
    { kind: 'notes', text: note },
  ]
  return pptx({ feature: `bullets and notes, ${language.code}`, blocks: [title, ...items], marks }, (deck) => {
    const slide = slideOf(deck, title)
    const options = (index: number) => ({ bullet: true, breakLine: true, indentLevel: levels[index] ?? 0 })
    slide.addText(
      items.map((text, index) => ({ text, options: options(index) })),
      { x: 0.5, y: 1.2, w: 9, h: 4 },
    )
    slide.addNotes(note)
  })
}

function tableSlide({ title, table, items }: Story): Promise<Sample> {
  const [head = [], ...rest] = table
  const last = [items[0] ?? '', null, items[1] ?? '', null, null, items[2] ?? '']
  const rows = [head, ...rest, last]
  const blocks = [title, ...rows.flat().filter((text) => text !== null)]
  return pptx({ feature: 'table with merged cells', blocks, ordered: [], tables: [{ rows }] }, (deck) => {
    const merged = [
      { text: items[0] ?? '', options: { colspan: 2 } },
      { text: items[1] ?? '', options: { colspan: 3 } },
      { text: items[2] ?? '' },
    ]
    const cells = [...[head, ...rest].map((row) => row.map((text) => ({ text }))), merged]
    slideOf(deck, title).addTable(cells, { x: 0.5, y: 1.2, w: 9 })
  })
}

function hiddenSlide({ sections, items }: Story): Promise<Sample> {
  const [first, second] = sections
  const address = 'https://example.org/slides'
  const texts = [first, second].map((section) => section?.paragraphs[0] ?? '')
  const marks: Mark[] = [
    { kind: 'hidden', text: 'Slide 2' },
    { kind: 'hidden', text: second?.heading ?? '' },
    { kind: 'links', text: address },
  ]
  const blocks = [first?.heading ?? '', texts[0] ?? '', second?.heading ?? '', texts[1] ?? '', items[0] ?? '']
  return pptx({ feature: 'hidden slide, link', blocks, marks }, (deck) => {
    const place = { x: 0.5, y: 1.2, w: 9, h: 2 }
    slideOf(deck, first?.heading ?? '').addText(texts[0] ?? '', place)
    const hidden = slideOf(deck, second?.heading ?? '')
    hidden.hidden = true
    hidden.addText(texts[1] ?? '', place)
    hidden.addText([{ text: items[0] ?? '', options: { hyperlink: { url: address } } }], { ...place, y: 3.5 })
  })
}

/** Text boxes that were put on the slide in another order than they are read. */
function twoColumns({ title, sections }: Story): Promise<Sample> {
  const [a = '', b = '', c = '', d = ''] = sections[1]?.paragraphs ?? []
  return pptx({ feature: 'boxes out of order', blocks: [title, a, b, c, d] }, (deck) => {
    const slide = slideOf(deck, title)
    slide.addText(d, { x: 5, y: 4, w: 4, h: 1 })
    slide.addText(b, { x: 5, y: 1.2, w: 4, h: 1 })
    slide.addText(c, { x: 0.5, y: 4, w: 4, h: 1 })
    slide.addText(a, { x: 0.5, y: 1.2, w: 4, h: 1 })
  })
}

/** The values of a chart, as they would be read from its axes and labels. */
function chart({ title, table, items, language }: Story): Promise<Sample> {
  const labels = language.cities.slice(0, 4)
  const series = items.slice(0, 2).map((name, at) => ({
    name,
    labels,
    values: table.slice(1, 5).map((row) => Number(row[4]) + at * 0.25),
  }))
  const rows = [
    ['', ...series.map(({ name }) => name)],
    ...labels.map((label, at) => [label, ...series.map(({ values }) => String(values[at]))]),
  ]
  const marks: Mark[] = [{ kind: 'facts', text: title }]
  const blocks = [title, 'Chart:', title, ...rows.flat().filter((text) => text !== '')]
  return pptx({ feature: 'chart', blocks, ordered: [], tables: [{ rows }], marks }, (deck) => {
    const place = { x: 0.5, y: 1.2, w: 8, h: 3 }
    slideOf(deck, title).addChart(deck.ChartType.bar, series, { ...place, showTitle: true, title })
  })
}
