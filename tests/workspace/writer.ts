// Run as a process of its own: begins to write a file and never ends.
import { openWorkspace } from '../../src/workspace/workspace.ts'

const workspace = await openWorkspace(process.argv[2] ?? '')

async function* endless() {
  yield Buffer.from('half')
  process.send?.('writing')
  await new Promise(() => setInterval(() => {}, 1000))
}

await workspace.write('outputs/deep/big.bin', endless())
