import { spawnSync } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { appendAudit } from '../../src/store/audit.ts'
import { Store } from '../../src/store/store.ts'
import { scratch } from '../support/store.ts'

const bin = resolve(import.meta.dirname, '../../src/bin.js')
const mostKilobytes = 1024

/** A command whose output goes to a file, which takes no more than `mostKilobytes`. */
function printedTo(file: string, dataDir: string, ...args: string[]) {
  const limited = `ulimit -f ${mostKilobytes}; exec "$@" > "$0"`
  const env = { PATH: process.env.PATH, BOBBIN_HOME: dataDir, BOBBIN_DATA_DIR: dataDir }
  const { status, stderr } = spawnSync('bash', ['--norc', '-c', limited, file, process.execPath, bin, ...args], {
    env,
    encoding: 'utf8',
  })
  return { status, stderr }
}

test('a command whose output the disk doesn’t take whole fails, and says why', async () => {
  const dataDir = await scratch()
  const store = await Store.open(join(dataDir, 'bobbin.db'), { now: Date.now })
  await store.transaction(async (tx) => {
    for (let place = 0; place < 300; place++)
      await appendAudit(tx, { kind: 'started', session: 'ses_1', data: { call: 'x'.repeat(10_000) } })
  })
  await store.close()

  const file = join(await scratch(), 'audit.jsonl')
  const cut = printedTo(file, dataDir, 'audit', 'export')
  expect((await stat(file)).size).toBe(mostKilobytes * 1024)
  expect(cut).toEqual({ status: 1, stderr: 'The output is incomplete: EFBIG: file too large, write.\n' })

  const nothing = printedTo('/dev/full', dataDir, 'audit', 'verify')
  expect(nothing).toEqual({
    status: 1,
    stderr: 'The output is incomplete: ENOSPC: no space left on device, write.\n',
  })
})
