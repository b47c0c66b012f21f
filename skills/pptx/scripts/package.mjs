import { readFile, writeFile } from 'node:fs/promises'
import { posix, resolve } from 'node:path'
import { DOMParser, XMLSerializer } from '@xmldom/xmldom'
import JSZip from 'jszip'

/** An Office file: a zip with XML in it. Parts that nobody opened stay as they are, byte for byte. */
export async function openPackage(path) {
  const zip = await JSZip.loadAsync(await readFile(path)).catch(() => {
    throw new Error(`${path} isn't a readable Office file. It may be encrypted, or in an older format.`)
  })
  const parts = new Map()
  const names = () => Object.keys(zip.files)
  return {
    names,
    has: (name) => zip.file(name) !== null,
    bytes: (name) => zip.file(name).async('nodebuffer'),
    add(name, content) {
      parts.delete(name)
      zip.file(name, content)
    },
    remove(name) {
      // Another part may get its name.
      parts.delete(name)
      zip.remove(name)
    },
    async xml(name) {
      if (zip.file(name) === null) throw new Error(`${path} has no ${name}`)
      if (!parts.has(name)) parts.set(name, parsed(await zip.file(name).async('string')))
      return parts.get(name)
    },
    async save(out) {
      if (resolve(out) === resolve(path)) throw new Error(`${out}: write to another file, so that the original stays`)
      for (const [name, document] of parts) if (zip.file(name)) zip.file(name, written(document))
      await writeFile(out, await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' }))
    },
  }
}

export const parsed = (text) =>
  new DOMParser({ onError: onlyFatal }).parseFromString(text.replace(/^\ufeff/, ''), 'text/xml')

function onlyFatal(level, message) {
  if (level !== 'warning') throw new Error(`The file is damaged: ${message}`)
}

/** Elements below a node by their name without prefix, as a list that stays as it is. */
export const all = (node, name) => Array.from(node.getElementsByTagNameNS('*', name))
export const children = (node, name) =>
  Array.from(node.childNodes).filter((one) => one.nodeType === 1 && (name === undefined || one.localName === name))
export const child = (node, name) => children(node, name)[0]

/** The value of an attribute, whatever its prefix is. */
export const attribute = (node, name) => Array.from(node?.attributes ?? []).find((one) => one.localName === name)?.value

/** Where a part is that another one refers to. */
export const partAt = (from, target) =>
  target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(from), target)
/** With '' for the package itself. */
export const relationsPath = (part) => part.replace(/([^/]*)$/, '_rels/$1.rels')

/** The relationships of a part, as elements. */
export async function relationsOf(file, part) {
  const path = relationsPath(part)
  return file.has(path) ? children((await file.xml(path)).documentElement) : []
}

/** Names of parts don't tell capitals apart, and a reference to one may be encoded. */
export function key(name) {
  try {
    return decodeURI(name).toLowerCase()
  } catch {
    return name.toLowerCase()
  }
}

/** The parts that relationships of a part lead to. */
export const targetsOf = (part, relations) =>
  relations
    .filter((one) => one.getAttribute('TargetMode') !== 'External')
    .map((one) => ({ relation: one, target: key(partAt(part, one.getAttribute('Target'))) }))

/** Adds a relationship of `part` and returns its id. */
export async function relate(file, part, type, target) {
  const path = relationsPath(part)
  if (!file.has(path))
    file.add(path, '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>')
  const root = (await file.xml(path)).documentElement
  const used = new Set(children(root).map((one) => one.getAttribute('Id')))
  let number = 1
  while (used.has(`rId${number}`)) number++
  const added = root.ownerDocument.createElementNS(root.namespaceURI, 'Relationship')
  added.setAttribute('Id', `rId${number}`)
  added.setAttribute('Type', `http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}`)
  added.setAttribute('Target', target)
  root.appendChild(added)
  return `rId${number}`
}

/** An XML document or a part of one as text. */
export const written = (node) => new XMLSerializer().serializeToString(node)

/** Tells the package what kind of part this is. */
export async function declare(file, part, type) {
  const root = (await file.xml('[Content_Types].xml')).documentElement
  const added = root.ownerDocument.createElementNS(root.namespaceURI, 'Override')
  added.setAttribute('PartName', `/${part}`)
  added.setAttribute('ContentType', type)
  root.appendChild(added)
}

/** Takes out what nothing refers to any more, such as charts that were deleted, with their numbers. */
export async function dropUnreached(file) {
  const names = new Map(file.names().map((name) => [key(name), name]))
  const reached = new Set(['[Content_Types].xml'])
  const waiting = ['']
  for (const part of waiting) {
    const relations = names.get(key(relationsPath(part)))
    for (const name of [part, relations]) if (name) reached.add(name)
    const leading = relations === undefined ? [] : children((await file.xml(relations)).documentElement)
    for (const { target } of targetsOf(part, leading)) {
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
