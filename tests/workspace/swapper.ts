// Runs as its own process: keeps turning a folder and a file into links to the outside and back.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder = '', secrets = ''] = process.argv.slice(2)
const at = (name: string) => join(folder, name)

mkdirSync(at('d'))
writeFileSync(join(secrets, 'only-outside'), 'x')
writeFileSync(at('d/a.txt'), 'inside')
symlinkSync(secrets, at('link'))
process.send?.('ready')

function swap(): void {
  renameSync(at('d'), at('real'))
  renameSync(at('link'), at('d'))
  rmSync(at('f.txt'), { force: true })
  symlinkSync(join(secrets, 'a.txt'), at('f.txt'))
  renameSync(at('d'), at('link'))
  renameSync(at('real'), at('d'))
}

/** The workspace may create a folder or a file in between; then everything is restored. */
function repair(): void {
  for (const name of ['link', 'real', 'd']) rmSync(at(name), { recursive: true, force: true })
  mkdirSync(at('d'), { recursive: true })
  writeFileSync(at('d/a.txt'), 'inside')
  symlinkSync(secrets, at('link'))
}

function succeeds(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

for (;;) {
  if (!succeeds(swap)) while (!succeeds(repair));
}
