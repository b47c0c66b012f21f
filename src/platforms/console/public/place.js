/** Where a thread lives: on which platform, in which workspace or server, in which channel. */

const here = { platform: 'console', tenant_id: 'local' }

const decoded = (text) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * A channel's key: its name in the console; on other platforms all three parts joined by colons, which no name
 * contains.
 */
export const keyOf = ({ platform, tenant_id, project_id }) =>
  platform === here.platform ? project_id : [platform, tenant_id, project_id].map(encodeURIComponent).join(':')

/** @returns {{ platform: string, tenant_id: string, project_id: string }} */
export function placeOf(key) {
  const [platform, tenant_id, project_id] = key.split(':').map(decoded)
  return project_id === undefined ? { ...here, project_id: key } : { platform, tenant_id, project_id }
}

export const isElsewhere = ({ platform }) => platform !== here.platform

export const platformName = (platform) => platform.charAt(0).toUpperCase() + platform.slice(1)

/**
 * The channels of other platforms, grouped by workspace or server, most recently used first.
 * @param {{ platform: string, tenant_id: string, project_id: string }[]} places
 */
export function groupsOf(places) {
  const groups = new Map()
  for (const place of places.filter(isElsewhere)) {
    const { platform, tenant_id } = place
    const key = keyOf({ ...place, project_id: '' })
    const group = groups.get(key) ?? { key, platform, tenant: tenant_id, channels: [] }
    group.channels.push({ key: keyOf(place), name: place.project_id })
    groups.set(key, group)
  }
  return [...groups.values()]
}
