import type { Notes } from '../../platform.ts'
import { isNewer } from '../api/snowflakes.ts'

/** What it says of servers, each with how far it was heard: "<server>=<message> …". */
const behindName = 'discord.behind'

/**
 * Keeps "<position> <server>=<message> …" as a bare position and a second note: a version that knows of no such servers
 * would take anything else for a first start.
 */
export function inTwoNotes(notes: Notes): Notes {
  let behind = ''
  let isSure = true
  let writing: Promise<unknown> = Promise.resolve()

  async function keep(text: string): Promise<void> {
    if (isSure && text === behind) return
    isSure = false
    await notes.set(behindName, text)
    behind = text
    isSure = true
  }

  async function write(name: string, text: string): Promise<void> {
    const [position = '', ...servers] = text.split(' ')
    // At any moment between, it may be read: no server may be missing of which the position says too much.
    await keep(together(behind, servers.join(' ')))
    await notes.set(name, position)
    await keep(servers.join(' '))
  }

  return {
    async get(name) {
      const position = await notes.get(name)
      behind = (await notes.get(behindName)) ?? ''
      isSure = true
      return position === undefined || behind === '' ? position : `${position} ${behind}`
    },
    set(name, text) {
      const written = writing.then(() => write(name, text))
      writing = written.catch(() => {})
      return written
    },
  }
}

/** The servers of both, from the earlier message on. */
function together(some: string, others: string): string {
  const all = new Map<string, string>()
  for (const [, server = '', id = ''] of `${some} ${others}`.matchAll(/(\d+)=(\d+)/g)) {
    const known = all.get(server)
    if (known === undefined || isNewer(known, id)) all.set(server, id)
  }
  return [...all].map(([server, id]) => `${server}=${id}`).join(' ')
}
