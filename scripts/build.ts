// What `npm pack` packs: Node doesn't strip types from what is installed, so `dist/` holds the program as JavaScript.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const top = join(import.meta.dirname, '..')
const dist = join(top, 'dist')

if (process.argv[2] === 'clean') {
  rmSync(dist, { recursive: true, force: true })
} else {
  rmSync(dist, { recursive: true, force: true })
  execFileSync(process.execPath, [join(top, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
    cwd: top,
    stdio: 'inherit',
  })
  cpSync(join(top, 'src'), dist, { recursive: true, filter: (path) => !/\.ts$|\/bin\.js$/.test(path) })
  for (const file of globSync('**/*.js', { cwd: dist })) rename(join(dist, file))
}

/** Files that are started by name, as workers and programs. */
function rename(file: string): void {
  const text = readFileSync(file, 'utf8')
  const renamed = text.replace(/(['"])(\.\.?\/[\w/.-]+)\.ts\1/g, '$1$2.js$1')
  if (renamed !== text) writeFileSync(file, renamed)
}
