import { all, attribute, children } from './package.mjs'
import { partAt, relationsOf, relationsPath } from './slides.mjs'

const app = 'docProps/app.xml'

/** Names of parts don't tell capitals apart, and a reference to one may be encoded. */
function key(name) {
  try {
    return decodeURI(name).toLowerCase()
  } catch {
    return name.toLowerCase()
  }
}

const targetsOf = (part, relations) =>
  relations
    .filter((one) => one.getAttribute('TargetMode') !== 'External')
    .map((one) => ({ relation: one, target: key(partAt(part, one.getAttribute('Target'))) }))

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

/** Takes out what nothing refers to any more, such as the charts of slides that were deleted, with their numbers. */
export async function dropUnreached(file) {
  const names = new Map(file.names().map((name) => [key(name), name]))
  const reached = new Set(['[Content_Types].xml'])
  const waiting = ['']
  for (const part of waiting) {
    const relations = names.get(key(relationsPath(part)))
    for (const name of [part, relations]) if (name) reached.add(name)
    for (const { target } of targetsOf(part, await relationsOf(file, part))) {
      const name = names.get(target)
      if (name !== undefined && !reached.has(name) && !waiting.includes(name)) waiting.push(name)
    }
  }
  const types = (await file.xml('[Content_Types].xml')).documentElement
  for (const name of names.values()) {
    if (name.endsWith('/') || reached.has(name)) continue
    file.remove(name)
    for (const one of children(types, 'Override'))
      if (key(attribute(one, 'PartName')) === key(`/${name}`)) types.removeChild(one)
  }
}
