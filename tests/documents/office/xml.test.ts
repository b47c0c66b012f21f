import { DOMParser, type Node } from '@xmldom/xmldom'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isElement, readXml, textOf, type XmlElement } from '../../../src/kit/documents/xml.ts'

const prefixes = new Map([['urn:w', 'w']])
const bytes = (text: string): Uint8Array => Buffer.from(text)
const read = (text: string): XmlElement => readXml(bytes(text), { prefixes })

type Plain = [string, [string, string][], (Plain | string)[]]

function plain({ name, attributes, children }: XmlElement): Plain {
  const nodes: (Plain | string)[] = []
  for (const child of children) {
    const last = nodes.at(-1)
    if (isElement(child)) nodes.push(plain(child))
    else if (typeof last === 'string') nodes[nodes.length - 1] = last + child
    else nodes.push(child)
  }
  return [name, [...attributes].sort(), nodes.filter((node) => node !== '')]
}

/** The same from the tree of a library. */
function plainOf(node: Node): Plain {
  const nodes: (Plain | string)[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    const last = nodes.at(-1)
    if (child.nodeType === 1) nodes.push(plainOf(child))
    else if (child.nodeType !== 3 && child.nodeType !== 4) continue
    else if (typeof last === 'string') nodes[nodes.length - 1] = last + (child.nodeValue ?? '')
    else nodes.push(child.nodeValue ?? '')
  }
  const attributes = [
    ...((node as unknown as { attributes: Iterable<{ name: string; value: string }> }).attributes ?? []),
  ]
  return [node.nodeName, attributes.map(({ name, value }): [string, string] => [name, value]).sort(), nodes]
}

const words = fc.string({
  unit: fc.constantFrom('a', 'é', '漢', ' ', '\n', '&amp;', '&lt;', '&#65;', '&#x1F600;', '>'),
  maxLength: 8,
})
const names = fc.constantFrom('a', 'b', 'w:c', 'x-1', 'ä')
const { element } = fc.letrec<{ element: string; node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5 },
    words,
    words.map((text) => `<![CDATA[${text}]]>`),
    words.map((text) => `<!--${text}-->`),
    fc.constant('<?pi some="thing"?>'),
    tie('element'),
  ),
  element: fc
    .tuple(
      names,
      fc.array(fc.tuple(names, words), { maxLength: 3 }),
      fc.array(tie('node'), { maxLength: 4 }),
      fc.boolean(),
    )
    .map(([name, attributes, children, isSpaced]) => {
      const unique = [...new Map(attributes)].map(([key, value], index) =>
        index === 1 ? `${key} = '${value}'` : `${key}="${value}"`,
      )
      const gap = isSpaced ? '\n ' : ''
      const head = `<${name} ${unique.join(' ')}${gap}`
      return children.length === 0 ? `${head}/>` : `${head}>${children.join('')}</${name}${gap}>`
    }),
}))

describe('XML', () => {
  test('is read as a library for it reads it', () => {
    fc.assert(
      fc.property(element, (inner) => {
        const xml = `<?xml version="1.0"?>\n<!-- x --><root xmlns:w="urn:w">${inner}</root>\n`
        const library = new DOMParser({ onError: () => {} }).parseFromString(xml, 'text/xml')
        const expected = plainOf(library.documentElement as unknown as Node)
        expect(plain(read(xml))).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  test('names have the usual prefix, whatever the file calls it', () => {
    const tree = read('<d xmlns="urn:w"><p z:a="1" b="2" xmlns:z="urn:w"><q xmlns="urn:other"/></p></d>')
    expect(plain(tree)[0]).toBe('w:d')
    const [p] = tree.children.filter(isElement)
    expect(p?.name).toBe('w:p')
    expect(p?.attributes.get('w:a')).toBe('1')
    expect(p?.attributes.get('b')).toBe('2')
    expect(p?.children.filter(isElement)[0]?.name).toBe('q')
  })

  test('elements are read in passing', () => {
    const seen: string[] = []
    const tree = readXml(bytes('<a><b>1</b><b>2</b><c>3</c></a>'), {
      prefixes,
      passes: (one, around) => one.name === 'b' && seen.push(`${around.map(({ name }) => name)}/${textOf(one)}`) > 0,
    })
    expect(seen).toEqual(['a/1', 'a/2'])
    expect(textOf(tree)).toBe('3')
  })

  test.each([
    ['a billion laughs', '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><l>&b;</l>'],
    ['an outside entity', '<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]><l>&a;</l>'],
    ['a million nested elements', '<a>'.repeat(1_000_000)],
    ['many attributes', `<a ${Array.from({ length: 10_000 }, (_, at) => `a${at}="1"`).join(' ')}/>`],
    ['many elements', `<a>${'<b/>'.repeat(1_500_001)}</a>`],
  ])('%s is too complex', (_, xml) => {
    expect(() => read(xml)).toThrow(expect.objectContaining({ code: 'too_complex' }))
  })

  test.each([
    '',
    'text',
    '<a>',
    '<a></b>',
    '</a>',
    '<a b></a>',
    '<a b="1></a>',
    '<a><!-- </a>',
    '<a><![CDATA[</a>',
    '<a',
    '<',
  ])('%j is damaged', (xml) => expect(() => read(xml)).toThrow(expect.objectContaining({ code: 'damaged' })))

  test('an old DTD by name is passed over, an unknown entity stays as it is', () => {
    expect(textOf(read('<!DOCTYPE a PUBLIC "-//x" "a.dtd"><a>&nbsp;&amp;&#0;&#xD800;&#x110000;</a>'))).toBe(
      '&nbsp;&\ufffd\ufffd\ufffd',
    )
  })

  test('is the same wherever its pieces are cut', () => {
    const long = 'é &amp; 漢 '.repeat(200_000)
    const xml = `<a b="${long}">${long}<c>${long}</c><![CDATA[${long}]]></a>`
    const text = long.replaceAll('&amp;', '&')
    const tree = read(xml)
    expect(tree.attributes.get('b')).toBe(text)
    expect(textOf(tree)).toBe(text + text + long)
  })

  test('a huge attribute and much white space take no time worth mentioning', () => {
    const tree = read(`<a b="${'x'.repeat(5_000_000)}" ${' '.repeat(5_000_000)}>${' '.repeat(5_000_000)}</a>`)
    expect(tree.attributes.get('b')?.length).toBe(5_000_000)
    expect(() => read(`<a ${'b '.repeat(1_000_000)}`)).toThrow()
    expect(() => read(`<a b=${'"'.repeat(1_000_001)}/>`)).toThrow()
  })

  test('encodings: marks, first bytes, declarations; what is no text is replaced', () => {
    const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')
    const of = (file: Uint8Array) => textOf(readXml(file, { prefixes }))
    expect(of(utf16('\ufeff<a>é</a>'))).toBe('é')
    expect(of(utf16('<a>é</a>'))).toBe('é')
    expect(of(utf16('\ufeff<a>é</a>').swap16())).toBe('é')
    expect(of(Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', 'latin1'))).toBe('é')
    expect(of(Buffer.from('<?xml version="1.0" encoding="nonsense"?><a>é</a>'))).toBe('é')
    expect(of(Buffer.from('<?xml version="1.0" encoding="UTF-16"?><a>é</a>'))).toBe('é')
    expect(of(Buffer.from([0xef, 0xbb, 0xbf, 0x3c, 0x61, 0x3e, 0xff, 0xfe, 0x3c, 0x2f, 0x61, 0x3e]))).toBe(
      '\ufffd\ufffd',
    )
  })
})
