import { expect, test } from 'vitest'
import { groupsOf, keyOf, placeOf } from '../../src/platforms/console/public/place.js'

const slack = (project_id: string, tenant_id = 'T1') => ({ platform: 'slack', tenant_id, project_id })
const here = (project_id: string) => ({ platform: 'console', tenant_id: 'local', project_id })

test('a channel’s key names its place, and no two places share one', () => {
  const places = [here('general'), here('C1'), slack('C1'), slack('C1', 'T2'), slack('a:b', 'T:3'), slack('ü/%')]
  expect(places.map(keyOf)).toEqual([
    'general',
    'C1',
    'slack:T1:C1',
    'slack:T2:C1',
    'slack:T%3A3:a%3Ab',
    'slack:T1:%C3%BC%2F%25',
  ])
  expect(places.map((place) => placeOf(keyOf(place)))).toEqual(places)
})

test('channels of other platforms are grouped by workspace, in their order', () => {
  const places = [slack('C2'), here('general'), slack('C9', 'T2'), slack('C1'), { ...slack('C2'), platform: 'discord' }]
  const names = groupsOf(places).map(({ platform, tenant, channels }) => [
    platform,
    tenant,
    channels.map(({ name }) => name),
  ])
  expect(names).toEqual([
    ['slack', 'T1', ['C2', 'C1']],
    ['slack', 'T2', ['C9']],
    ['discord', 'T1', ['C2']],
  ])
})
