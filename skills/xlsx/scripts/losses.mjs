import JSZip from 'jszip'

/** Parts of a workbook, by their paths, that the library may not write again. */
const parts = [
  [/^xl\/charts\//, 'charts'],
  [/^xl\/chartsheets\//, 'chart sheets'],
  [/^xl\/pivotTables\//, 'pivot tables'],
  [/vbaProject/, 'macros'],
  [/^xl\/threadedComments\//, 'comments in threads'],
  [/^xl\/(slicers|timelines)\//, 'slicers'],
  [/^xl\/(ctrlProps|activeX)\//, 'form controls'],
  [/^xl\/externalLinks\//, 'links to other workbooks'],
  [/^xl\/(connections\.xml|queryTables\/)/, 'data connections'],
  [/^xl\/embeddings\//, 'embedded files'],
  [/^xl\/diagrams\//, 'SmartArt'],
  [/^xl\/richData\//, 'pictures in cells and data types'],
]

/** The same of what is inside a part. */
const inside = [
  [/^xl\/drawings\/[^/]+\.xml$/, /<(\w+:)?(sp|cxnSp|grpSp)[\s>]/, 'text boxes and shapes'],
  [/^xl\/worksheets\/[^/]+\.xml$/, /<(\w+:)?sparklineGroup/, 'sparklines'],
]

async function kindsIn(bytes) {
  const { files } = await JSZip.loadAsync(bytes)
  const paths = Object.keys(files)
  const kinds = parts.filter(([path]) => paths.some((one) => path.test(one))).map(([, name]) => name)
  for (const [path, content, name] of inside)
    for (const one of paths.filter((each) => path.test(each)))
      if (!kinds.includes(name) && content.test(await files[one].async('string'))) kinds.push(name)
  return kinds
}

/** What a workbook had before, and no longer has. */
export async function lossesOf(before, after) {
  const kept = await kindsIn(after)
  return (await kindsIn(before)).filter((kind) => !kept.includes(kind))
}
