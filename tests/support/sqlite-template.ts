import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Store } from '../../src/store/store.ts'

/** Making the tables takes four times as long as opening a file that has them. */
let template: Promise<Buffer> | undefined

/** Puts an empty database there, as the store makes it at its first start. */
export async function layDatabase(file: string): Promise<void> {
  template ??= made()
  await writeFile(file, await template)
}

async function made(): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'bobbin-template-'))
  try {
    const file = join(directory, 'bobbin.db')
    await (await Store.open(file, { now: () => 0 })).close()
    return await readFile(file)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
