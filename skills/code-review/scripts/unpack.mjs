import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import JSZip from 'jszip'

const [path, folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: unpack.mjs in.zip temp/code')
const most = { files: 5_000, bytes: 100 * 1024 * 1024 }
/** Nobody reviews these. */
const litter =
  /(^|\/)(node_modules|\.git|\.venv|venv|__pycache__|dist|build|target|vendor|__MACOSX)\/|\.(png|jpe?g|gif|ico|woff2?|mp4|zip|jar|exe|dll|so)$/i

const zip = await JSZip.loadAsync(await readFile(path))
let bytes = 0
const written = []
const skipped = {}
for (const entry of Object.values(zip.files)) {
  if (entry.dir) continue
  const name = posix.normalize(entry.unsafeOriginalName ?? entry.name)
  if (name.startsWith('../') || name.startsWith('/') || name.includes('\\'))
    throw new Error(`${name} leads out of the archive`)
  const why = litter.exec(name)?.[0].replaceAll('/', '')
  if (why !== undefined) {
    skipped[why] = (skipped[why] ?? 0) + 1
    continue
  }
  const content = await entry.async('nodebuffer')
  bytes += content.length
  if (bytes > most.bytes || written.length >= most.files) throw new Error('The archive is too large to be unpacked')
  await mkdir(join(folder, dirname(name)), { recursive: true })
  await writeFile(join(folder, name), content)
  written.push(name)
}
const kinds = {}
for (const name of written) kinds[posix.extname(name) || name] = (kinds[posix.extname(name) || name] ?? 0) + 1
console.log(JSON.stringify({ folder, files: written.length, bytes, kinds, skipped }, undefined, 1))
