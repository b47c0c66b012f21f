import { ComponentType } from 'discord-api-types/v10'
import { isSelect, placed } from '../rules/components.ts'
import type { Component } from '../world/types.ts'

/** Defaults that Discord fills in. */
const defaults: Partial<Record<ComponentType, Record<string, unknown>>> = {
  [ComponentType.Container]: { accent_color: null, spoiler: false },
  [ComponentType.File]: { spoiler: false },
  [ComponentType.Separator]: { spacing: 1, divider: true },
  [ComponentType.Thumbnail]: { description: null, spoiler: false },
}

/** Components as Discord stores them: complete, each with an id; those without one are numbered from 1. */
export function completed(components: Component[]): Component[] {
  const copy = structuredClone(components)
  const all = placed(copy).map(({ component }) => component)
  const taken = new Set(all.map(({ id }) => id).filter(Boolean))
  let next = 1
  for (const component of all) {
    while (taken.has(next)) next++
    if (!component.id) component.id = next++
    complete(component)
  }
  return copy
}

function complete(component: Component): void {
  const own = isSelect(component) ? { min_values: 1, max_values: 1 } : (defaults[component.type] ?? {})
  for (const [key, value] of Object.entries(own)) component[key] ??= value
  for (const key of Object.keys(component)) if (component[key] === null && own[key] !== null) delete component[key]
  if (component.type !== ComponentType.MediaGallery) return
  component.items = (component.items as object[]).map((item) => ({ description: null, spoiler: false, ...item }))
}
