import { parse } from '@formatjs/icu-messageformat-parser'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
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
  expect(Object.keys(pages).filter((key) => Object.hasOwn(thread, key))).toEqual([])
})
