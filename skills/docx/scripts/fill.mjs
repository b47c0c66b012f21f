import { readFile } from 'node:fs/promises'
import { openPackage } from './package.mjs'
import { changer, paragraphsOf, textOf, textParts } from './text.mjs'

const [path, out, values] = process.argv.slice(2)
if (values === undefined) throw new Error('Usage: fill.mjs in.docx out.docx values.json')
const given = new Map(Object.entries(JSON.parse(await readFile(values, 'utf8'))))
const file = await openPackage(path)
const change = changer()
const filled = new Set()
const missing = new Set()

for (const { xml } of await textParts(file))
  for (const paragraph of paragraphsOf(xml)) {
    const places = Array.from(textOf(paragraph).matchAll(/\{\{\s*([^{}]+?)\s*\}\}/g))
    // From the end, so that earlier places stay where they are.
    for (const { 0: whole, 1: name, index } of places.toReversed()) {
      if (!given.has(name)) missing.add(name)
      else {
        change.put(paragraph, index, index + whole.length, String(given.get(name)))
        filled.add(name)
      }
    }
  }
await file.save(out)
const unused = [...given.keys()].filter((name) => !filled.has(name))
console.log(JSON.stringify({ file: out, filled: [...filled], noValueFor: [...missing], noPlaceFor: unused }))
