import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CompiledReaders } from '../../../src/kit/documents/compiled.ts'
import { openContainment } from '../../../src/kit/sandbox/contained.ts'
import type { ContainedProgram } from '../../../src/kit/sandbox/containment.ts'
import { withoutSandbox } from '../../support/sandbox.ts'

test.skipIf(withoutSandbox)(
  'readers find what they load compiled, once a program without a document has compiled it',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'bobbin-compiled-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const started: ContainedProgram[] = []
    const inBubblewrap = openContainment()
    const containment = {
      ...inBubblewrap,
      start(program: ContainedProgram) {
        started.push(program)
        return inBubblewrap.start(program)
      },
    }
    const folder = join(directory, 'readers')
    const readers = () => new CompiledReaders(containment, join(directory, 'of Node'))
    const first = readers()
    expect(first.get()).toBeUndefined()
    await first.settled()
    expect(first.get()).toEqual({ folder })
    const [ofThisNode = ''] = (await readdir(folder)).filter((name) => name.startsWith(process.version))
    // The parsers are loaded with what they need; pdf.js alone is several of them.
    expect((await readdir(join(folder, ofThisNode))).length).toBeGreaterThan(200)

    const second = readers()
    expect(second.get()).toEqual({ folder })
    await second.settled()
    expect(started).toHaveLength(1)

    await writeFile(join(folder, 'compiled'), 'another version')
    const updated = readers()
    expect(updated.get()).toEqual({ folder })
    await updated.stop()
    expect(started.length).toBeLessThanOrEqual(2)
  },
)

test('where the bot keeps no compiled code, or bubblewrap is missing, readers have none', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bobbin-compiled-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  expect(new CompiledReaders(openContainment(), undefined).get()).toBeUndefined()
  const plain = new CompiledReaders(openContainment({ bwrap: false }), join(directory, 'of Node'))
  expect(plain.get()).toBeUndefined()
  await plain.settled()
  expect(existsSync(join(directory, 'readers'))).toBe(false)
})
