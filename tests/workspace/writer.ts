// Runs as its own process: begins to write a file and never finishes.
import { openWorkspace } from '../../src/workspace/workspace.ts'

const workspace = await openWorkspace(process.argv[2] ?? '')

async function* endless() {
  yield Buffer.from('half')
  process.send?.('writing')
  await new Promise(() => setInterval(() => {}, 1000))
}

await workspace.write('outputs/deep/big.bin', endless())
