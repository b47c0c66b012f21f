import type { Workspace } from '../../domain/workspace.ts'
import { Failure } from '../../kit/failure.ts'
import { typeByName } from '../../kit/files/type.ts'
import type { Fetched } from '../../kit/web/port.ts'
import { freeName, safeName } from '../../workspace/names.ts'

const folder = 'temp/downloads'

/** Endings of names that say nothing about the type, or something wrong. */
const endings = new Map([
  ['application/pdf', '.pdf'],
  ['image/png', '.png'],
  ['image/jpeg', '.jpg'],
  ['image/gif', '.gif'],
  ['image/webp', '.webp'],
  ['image/svg+xml', '.svg'],
  ['text/html', '.html'],
  ['application/xhtml+xml', '.html'],
  ['application/json', '.json'],
  ['application/xml', '.xml'],
  ['text/xml', '.xml'],
  ['text/csv', '.csv'],
  ['text/plain', '.txt'],
])

/** How many attempts at one name. */
const mostTries = 20

/** Keeps it under a free name made from its address. Returns the path. */
export async function saveDownload(
  workspace: Workspace,
  { url, type, bytes }: Pick<Fetched, 'url' | 'type' | 'bytes'>,
): Promise<string> {
  const name = nameOf(url, type)
  for (let tries = 0; tries < mostTries; tries++) {
    const there = (await workspace.stat(folder)) === undefined ? [] : await workspace.list(folder)
    const taken = new Set(there.map(({ path }) => path.toLowerCase()))
    const path = `${folder}/${freeName(name, (one) => taken.has(`${folder}/${one}`.toLowerCase()))}`
    try {
      await workspace.write(path, bytes, { exclusive: true })
      return path
    } catch (thrown) {
      // Another call took the name meanwhile.
      if (!(thrown instanceof Failure) || thrown.code !== 'exists') throw thrown
    }
  }
  throw new Failure('exists', `No name like ${name} is free in ${folder}.`, 'Fetch it again.')
}

function nameOf(url: string, type: string): string {
  const { pathname, hostname } = new URL(url)
  const name = safeName(readable(pathname.split('/').findLast((part) => part !== '') ?? hostname))
  const ending = endings.get(type) ?? ''
  return ending === '' || typeByName(name) === typeByName(`a${ending}`) ? name : safeName(`${name}${ending}`)
}

function readable(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // It contains a literal %.
    return part
  }
}
