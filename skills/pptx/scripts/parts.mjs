import { all, children, key, relationsOf, targetsOf } from './package.mjs'

const app = 'docProps/app.xml'

/** What a file holds about a slide outside of it: links from other slides, its place in shows and sections, its title. */
export async function forget(file, { part, entry }) {
  const id = entry.getAttribute('id')
  for (const one of all(await file.xml('ppt/presentation.xml'), 'sldId'))
    if (one !== entry && one.getAttribute('id') === id) one.parentNode.removeChild(one)
  for (const name of file.names()) {
    const [, folder, own] = /^(.*)_rels\/([^/]+)\.rels$/.exec(name) ?? []
    const from = `${folder}${own}`
    if (own === undefined || !file.has(from)) continue
    for (const { relation, target } of targetsOf(from, await relationsOf(file, from)))
      if (target === key(part)) await unlink(file, from, relation)
  }
  // A picture of the first slide, as it was.
  for (const one of await relationsOf(file, ''))
    if (one.getAttribute('Type').endsWith('/thumbnail')) one.parentNode.removeChild(one)
  if (!file.has(app)) return
  const about = (await file.xml(app)).documentElement
  for (const one of children(about))
    if (['HeadingPairs', 'TitlesOfParts'].includes(one.localName)) about.removeChild(one)
}

async function unlink(file, from, relation) {
  const id = relation.getAttribute('Id')
  const isLink = ({ name, value }) => name.endsWith(':id') && value === id
  for (const one of all(await file.xml(from), '*'))
    if (Array.from(one.attributes).some(isLink)) one.parentNode?.removeChild(one)
  relation.parentNode.removeChild(relation)
}
