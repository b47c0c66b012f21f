import { parse } from '@formatjs/icu-messageformat-parser'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { abilities } from '../../src/platforms/console/public/words/abilities.js'
import { cards } from '../../src/platforms/console/public/words/cards.js'
import { files } from '../../src/platforms/console/public/words/files.js'
import { pages } from '../../src/platforms/console/public/words/pages.js'
import { thread } from '../../src/platforms/console/public/words/thread.js'
import { english } from '../../src/platforms/console/public/words.js'
import { sources } from '../architecture/sources.ts'

interface Node {
  type: string
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** What is said in the page's code: the message, and the values that it is given. */
function saidIn(path: string, text: string): { key: string; values: string[] }[] {
  const found: { key: string; values: string[] }[] = []
  function visit(node: Node): void {
    const { object, property } =
      node.type === 'MemberExpression' ? (node as Node & { object: Node; property: Node }) : {}
    if (object?.type === 'Identifier' && object.name === 'say') found.push({ key: String(property?.name), values: [] })
    if (node.type === 'CallExpression' && isNode(node.callee)) {
      const before = found.length
      visit(node.callee)
      const [given] = node.arguments as Node[]
      const own = found[before]
      if (own !== undefined && given?.type === 'ObjectExpression')
        own.values = (given.properties as { key: Node }[]).map(({ key }) => String(key.name))
      for (const one of node.arguments as Node[]) visit(one)
      return
    }
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) for (const one of value) isNode(one) && visit(one)
      else if (isNode(value)) visit(value)
    }
  }
  visit(parseSync(path, text).program as unknown as Node)
  return found
}

function namesIn(elements: ReturnType<typeof parse>): string[] {
  return elements.flatMap((element) => {
    if (element.type === 0 || element.type === 7 || element.type === 8) return []
    const inside = 'options' in element ? Object.values(element.options).flatMap(({ value }) => namesIn(value)) : []
    return [element.value, ...inside]
  })
}

const said = sources
  .filter(({ path }) => path.includes('/public/') && path.endsWith('.js') && !path.includes('/words/'))
  .flatMap(({ path, text }) => (/\bsay\./.test(text) ? saidIn(path, text).map((one) => ({ path, ...one })) : []))

test('the page says only messages that there are, with the values that they name', () => {
  const wrong = said.filter(({ key, values }) => {
    const text = english[key]
    if (text === undefined) return true
    return [...new Set(namesIn(parse(text, { ignoreTag: true })))].toSorted().join() !== values.toSorted().join()
  })
  expect(wrong).toEqual([])
})

test('every message of the page is said somewhere, and has one place', () => {
  const used = new Set(said.map(({ key }) => key))
  expect(Object.keys(english).filter((key) => !used.has(key))).toEqual([])
  const keys = [abilities, cards, files, pages, thread].flatMap((one) => Object.keys(one))
  expect(keys.filter((key, place) => keys.indexOf(key) !== place)).toEqual([])
})

/** Words between the tags of a component's template, and in the attributes that people read or hear. */
function wordsInTemplates(path: string, text: string): string[] {
  const found: string[] = []
  function visit(node: Node): void {
    const { tag, quasi } = node as Node & {
      tag?: { name?: string }
      quasi?: { quasis: { value: { cooked: string } }[] }
    }
    if (node.type === 'TaggedTemplateExpression' && tag?.name === 'html' && quasi !== undefined) {
      const whole = quasi.quasis.map(({ value }) => value.cooked).join('\0')
      const shown = whole.replaceAll(/<code>[A-Z_]+<\/code>/g, '').split(/<[^>]*>/)
      const named = [...whole.matchAll(/\b(?:title|alt|label|placeholder|data-name|aria-label)="([^"\0]*)"/g)]
      found.push(...[...shown, ...named.map(([, value = '']) => value)].filter((one) => /\p{L}{2}/u.test(one)))
    }
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) for (const one of value) isNode(one) && visit(one)
      else if (isNode(value)) visit(value)
    }
  }
  visit(parseSync(path, text).program as unknown as Node)
  return found.map((one) => `${path}: ${one.replaceAll('\0', '…').trim()}`)
}

test('no component has words of its own', () => {
  const components = sources.filter(({ path, text }) => path.includes('/public/') && text.includes('html`'))
  expect(components.length).toBeGreaterThan(40)
  expect(components.flatMap(({ path, text }) => wordsInTemplates(path, text))).toEqual([])
  const odd = `html\`<p title="Its name">\${name} was <b>here</b></p>\``
  expect(wordsInTemplates('a.js', odd)).toEqual(['a.js: … was', 'a.js: here', 'a.js: Its name'])
})
