import { execFile } from 'node:child_process'
import { copyFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { doctorWords } from '../../src/doctor/words.ts'
import { scratch } from '../support/store.ts'

const bin = resolve(import.meta.dirname, '../../src/bin.js')
const old =
  "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'22.22.2'}})"

test('on an old Node without the one it brings, Bobbin names what npm 12 needs to bring it', async () => {
  const home = await scratch()
  const copy = join(home, 'bin.mjs')
  await copyFile(bin, copy)
  const started = promisify(execFile)(process.execPath, ['--import', old, copy, 'start'], {
    env: { PATH: process.env.PATH, BOBBIN_HOME: home },
  })
  const remedy = 'npm install --global ./bobbin-….tgz (npm 12 also needs --allow-scripts=node)'
  await expect(started).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(remedy) })
  expect(doctorWords.nodeTooOldRemedy()).toContain(remedy)
})
