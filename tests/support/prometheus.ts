export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y

function labelsIn(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  label.lastIndex = 0
  while (label.lastIndex < text.length) {
    const match = label.exec(text)
    if (match === null) throw new Error(`these are no labels: ${text}`)
    const [, name = '', value = ''] = match
    if (Object.hasOwn(labels, name)) throw new Error(`the label ${name} is there twice`)
    labels[name] = value.replace(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped))
  }
  return labels
}

const numberIn = (text: string): number => (text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text))

/**
 * Reads Prometheus' text format 0.0.4 as strictly as Prometheus itself: each family has one type, above its samples and in
 * one piece; no series comes twice; buckets grow, and the last one holds everything.
 */
export function prometheusSamples(text: string): Sample[] {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const types = new Map<string, string>()
  const samples: Sample[] = []
  let family = ''
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, word, name = '', type = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? []
    if (word === 'TYPE') {
      if (types.has(name)) throw new Error(`${name} has two types`)
      if (!['counter', 'gauge', 'histogram', 'summary', 'untyped'].includes(type)) throw new Error(`a type ${type}`)
      types.set(name, type)
      family = name
    }
    if (line.startsWith('#')) continue
    const match = sample.exec(line)
    if (match === null) throw new Error(`this is no sample: ${line}`)
    const [, full = '', labels = '', value = ''] = match
    const isOfFamily =
      full === family || (types.get(family) === 'histogram' && /^_(bucket|sum|count)$/.test(full.slice(family.length)))
    if (!isOfFamily || !full.startsWith(family)) throw new Error(`${full} is not below its type`)
    if (Number.isNaN(numberIn(value))) throw new Error(`${value} is no number`)
    samples.push({ name: full, labels: labelsIn(labels), value: numberIn(value) })
  }
  const keys = samples.map(({ name, labels }) => JSON.stringify([name, Object.entries(labels).toSorted()]))
  if (new Set(keys).size < keys.length) throw new Error('a series is there twice')
  for (const [name, type] of types) if (type === 'histogram') checkHistogram(name, samples)
  return samples
}

function checkHistogram(name: string, samples: Sample[]): void {
  const keyOf = ({ le: _, ...labels }: Record<string, string>) => JSON.stringify(labels)
  for (const { labels, value } of samples.filter((one) => one.name === `${name}_count`)) {
    const buckets = samples.filter((one) => one.name === `${name}_bucket` && keyOf(one.labels) === keyOf(labels))
    const grows = buckets.every((one, place) => {
      const before = buckets[place - 1]
      return !before || (before.value <= one.value && numberIn(before.labels.le ?? '') < numberIn(one.labels.le ?? ''))
    })
    const last = buckets.at(-1)
    if (!grows || last?.labels.le !== '+Inf' || last.value !== value)
      throw new Error(`the buckets of ${name} are wrong`)
  }
}
