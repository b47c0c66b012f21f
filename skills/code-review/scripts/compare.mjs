import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { createTwoFilesPatch } from 'diff'

const [before, after, out] = process.argv.slice(2)
if (out === undefined) throw new Error('Usage: compare.mjs old new temp/change.diff')

/** The texts of a folder by their path, or of one file under an empty one. */
async function textsIn(place) {
  const about = await stat(place).catch(() => undefined)
  if (about === undefined) throw new Error(`There is no ${place}`)
  if (about.isFile()) return new Map([['', await readFile(place)]])
  const names = await readdir(place, { recursive: true, withFileTypes: true })
  const files = names.filter((one) => one.isFile()).map((one) => relative(place, join(one.parentPath, one.name)))
  const wanted = files.filter((name) => !/(^|\/)(node_modules|\.git)\//.test(name))
  return new Map(await Promise.all(wanted.map(async (name) => [name, await readFile(join(place, name))])))
}

const [old, now] = [await textsIn(before), await textsIn(after)]
const patches = []
const binary = []
for (const name of [...new Set([...old.keys(), ...now.keys()])].toSorted()) {
  const [from, to] = [old.get(name), now.get(name)]
  if (from !== undefined && to !== undefined && from.equals(to)) continue
  const names = [
    from === undefined ? '/dev/null' : `a/${name || before}`,
    to === undefined ? '/dev/null' : `b/${name || after}`,
  ]
  if (from?.subarray(0, 8_000).includes(0) || to?.subarray(0, 8_000).includes(0)) {
    binary.push(`Binary files ${names.join(' and ')} differ\n`)
    continue
  }
  const patch = createTwoFilesPatch(...names, String(from ?? ''), String(to ?? ''), '', '', { context: 3 })
  patches.push(patch.replace(/^=+\n/, ''))
}
await writeFile(out, [...patches, ...binary].join(''))
console.log(JSON.stringify({ file: out, changed: patches.length, ...(binary.length > 0 && { binary: binary.length }) }))
