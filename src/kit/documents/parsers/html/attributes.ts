import { resolveEntities } from './entities.ts'

const patterns = new Map(
  ['href', 'colspan', 'rowspan', 'start', 'role', 'style', 'value'].map((name) => [
    name,
    new RegExp(`\\s${name}\\s{0,9}=\\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i'),
  ]),
)

/** The value of one attribute of a tag. */
export function attributeOf(
  tag: string,
  name: 'href' | 'colspan' | 'rowspan' | 'start' | 'role' | 'style' | 'value',
): string | undefined {
  const match = patterns.get(name)?.exec(tag)
  const value = match?.[1] ?? match?.[2] ?? match?.[3]
  return value === undefined ? undefined : resolveEntities(value)
}

export function numberOf(tag: string, name: 'colspan' | 'rowspan' | 'start' | 'value'): number | undefined {
  const value = attributeOf(tag, name)
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : undefined
}

/** Whether an element's own style strikes its text out. */
export const isCrossedOut = (tag: string): boolean =>
  /line-through/i.test(tag) && strikesOut(attributeOf(tag, 'style') ?? '')

export const strikesOut = (style: string): boolean =>
  /(?:^|[;\s])text-decoration(?:-line)?\s{0,9}:[^;]{0,100}line-through/i.test(style)
