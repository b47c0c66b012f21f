import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { bench } from './support.ts'

const pinned = [{ path: 'temp/lib.sh', bytes: Buffer.from('echo approved') }]
const command = 'touch temp/begun; until [ -e temp/go ]; do sleep 0.05; done; . temp/lib.sh'

test('no file tool replaces a file that a command was approved with while it runs', async () => {
  const { run, put, text, root } = await bench({}, { granted: { hosts: [], pinned, closed: false } })
  await put('temp/lib.sh', 'echo approved')
  const ran = run('run_command', { command })
  await until('the command to have begun', () => existsSync(join(root, 'temp/begun')))

  const write = (path: string) => run('write_file', { path, content: 'echo swapped' })
  await expect(write('./temp//lib.sh')).rejects.toMatchObject({ code: 'in_use' })
  const edit = { path: 'temp/lib.sh', old_string: 'approved', new_string: 'swapped' }
  await expect(run('edit_file', edit)).rejects.toMatchObject({ code: 'in_use' })
  await write('temp/other.sh')
  await put('temp/go', '')
  expect(await ran).toContain('\napproved')

  await write('temp/lib.sh')
  expect(await text('temp/lib.sh')).toBe('echo swapped')
})
