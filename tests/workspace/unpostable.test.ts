import { chmod, link, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unpostable } from '../../src/workspace/unpostable.ts'
import { openWorkspace } from '../../src/workspace/workspace.ts'
import { asSomebody } from '../support/as-somebody.ts'

test('what can’t be posted from outputs/ is found with its reason, once', () =>
  asSomebody(async (root) => {
    await openWorkspace(root)
    const at = (path: string) => join(root, 'outputs', path)
    await mkdir(at('in/.git'), { recursive: true })
    await mkdir(at('node_modules'))
    for (const path of ['fine.txt', 'in/one', 'in/.hidden', 'closed', 'back\\slash', 'node_modules/c'])
      await writeFile(at(path), 'x')
    await writeFile(Buffer.concat([Buffer.from(at('bad')), Buffer.from([0xff])]), 'x')
    await link(at('in/one'), join(root, 'temp/two'))
    await chmod(at('closed'), 0)
    const deep = `${'x'.repeat(200)}/`.repeat(10)
    await mkdir(at(deep), { recursive: true })
    await writeFile(at(`${deep}far`), 'x')
    for (const path of ['link', 'in/.git/link', 'node_modules/link']) await symlink('nowhere', at(path))

    const found = await unpostable(root, Date.now() - 60_000)
    expect(found.map(({ path, why }) => `${path}: ${why}`).toSorted()).toEqual([
      'outputs/back\\slash: name',
      'outputs/bad\ufffd: name',
      'outputs/closed: closed',
      'outputs/in/one: hardLink',
      'outputs/link: link',
      `outputs/${deep}far: path`,
    ])
    expect(await unpostable(root, Date.now() + 60_000)).toEqual([])
  }))
