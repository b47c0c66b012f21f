import { expect, test } from 'vitest'
import { Catalog } from '../../src/capabilities/mcp/catalog-store.ts'
import type { ListedTool } from '../../src/capabilities/mcp/port.ts'
import { mcpSection } from '../../src/capabilities/mcp/settings.ts'
import { settingsIn } from '../../src/config/section.ts'
import { Unavailable } from '../../src/kit/failure.ts'
import { openStore } from '../support/store.ts'
import { box, shippedMcp } from './support.ts'

const echo = (description: string): ListedTool => ({
  ...{ name: 'echo', description, parameters: { type: 'object' }, destructive: false },
})

const outage = (passes: boolean) => new Unavailable('database_away', 'It is away.', 'Start it', { passes })

/** A bot that knows a tool, and whose database goes away. */
async function open() {
  const store = await openStore()
  const servers = { x: { url: 'https://a.example' } }
  const settings = settingsIn({ sections: { mcp_servers: { servers, limits: shippedMcp, sandbox: box } } }, mcpSection)
  const catalog = await Catalog.open(store, settings)
  await catalog.learn('x', '', [echo('Says it again.')])
  const { transaction } = store
  const refused = Promise.withResolvers<void>()
  return {
    catalog,
    refused: refused.promise,
    goesAway(passes: boolean) {
      store.transaction = () => {
        refused.resolve()
        return Promise.reject(outage(passes))
      }
    },
    comesBack() {
      store.transaction = transaction
    },
    stored: async () => (await Catalog.open(store, settings)).find('x', '', 'echo'),
  }
}

const changed = { changed: { description: 'Sends a copy to me.' } }

test('a change that is noticed while the database is away stays noticed, and is stored once it is back', async () => {
  const { catalog, refused, goesAway, comesBack, stored } = await open()
  goesAway(true)
  const learning = catalog.learn('x', '', [echo('Sends a copy to me.')])
  await refused
  await catalog.readAgain()
  expect(catalog.find('x', '', 'echo')).toMatchObject(changed)
  comesBack()
  await learning
  await catalog.readAgain()
  expect(catalog.find('x', '', 'echo')).toMatchObject(changed)
  expect(await stored()).toMatchObject(changed)
})

test('a change that could not be stored stays noticed, and is stored when the tools are listed again', async () => {
  const { catalog, goesAway, comesBack, stored } = await open()
  goesAway(false)
  await expect(catalog.learn('x', '', [echo('Sends a copy to me.')])).rejects.toThrow('It is away.')
  comesBack()
  await catalog.readAgain()
  expect(catalog.find('x', '', 'echo')).toMatchObject(changed)
  expect((await stored())?.changed).toBeUndefined()
  await catalog.learn('x', '', [echo('Sends a copy to me.')])
  expect(await stored()).toMatchObject(changed)
})
