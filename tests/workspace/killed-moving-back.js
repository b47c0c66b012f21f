// Run in a process of its own: undoes the removal of a workspace, and is killed when its files are to come back.
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

const root = process.argv[2] ?? ''
const { rename } = fs
fs.rename = (from, to) => {
  if (to === root) process.kill(process.pid, 'SIGKILL')
  return rename(from, to)
}
syncBuiltinESMExports()

const { removeWorkspace } = await import('../../src/workspace/remove.ts')
const record = async () => {
  await fs.mkdir(root)
  await fs.writeFile(join(root, '.metadata.json'), '{}')
}
await removeWorkspace(
  root,
  (work) => work().then(() => false),
  record,
  () => {},
)
