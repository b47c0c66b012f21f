import { z } from 'zod'
import { bobbinFileWith, configFiles, filesOf } from './schema.ts'
import type { SettingsSection } from './section.ts'

/** JSON schemas for editors, by file name. A team's own file has only the lines that differ, so no key is required. */
export function editorSchemas(brought: readonly SettingsSection[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ ...configFiles, ...filesOf(brought), 'bobbin.yaml': bobbinFileWith(brought) }).map(
      ([name, schema]) => {
        const json = z.toJSONSchema(schema, { io: 'input' })
        // Plug-ins bring sections, which aren't known here.
        if (name === 'bobbin.yaml') json.additionalProperties = { type: ['object', 'array', 'null'] }
        return [name.replace(/\.yaml$/, '.schema.json'), `${JSON.stringify(withoutRequired(json), null, 2)}\n`]
      },
    ),
  )
}

function withoutRequired(node: unknown, insideList = false): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutRequired(item, insideList))
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node)
    .filter(([key, value]) => !(key === 'required' && Array.isArray(value) && !insideList))
    .map(([key, value]) => [key, withoutRequired(value, insideList || key === 'items')])
  return Object.fromEntries(entries)
}
