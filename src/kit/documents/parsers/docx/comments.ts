import { allOf, descendants, type XmlElement } from '../../xml.ts'

/** Ids of the comments whose threads are resolved; `extended` says which are, by the ids of their paragraphs. */
export function resolvedComments(comments: XmlElement, extended: XmlElement): ReadonlySet<string> {
  const isDone = new Map<string, boolean>()
  const roots = new Map<string, string>()
  for (const { attributes } of allOf(extended, 'w15:commentEx')) {
    const id = attributes.get('w15:paraId') ?? ''
    isDone.set(id, /^(1|true)$/.test(attributes.get('w15:done') ?? ''))
    roots.set(id, attributes.get('w15:paraIdParent') ?? id)
  }
  const resolved = allOf(comments, 'w:comment').filter((comment) =>
    [...descendants(comment, 'w:p')].some(({ attributes }) =>
      isDone.get(roots.get(attributes.get('w14:paraId') ?? '') ?? ''),
    ),
  )
  return new Set(resolved.map(({ attributes }) => attributes.get('w:id') ?? ''))
}
